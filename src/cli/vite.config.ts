import { defineConfig } from 'vite'

/** What media are made of: large, and in `dist` already, where the library has it. */
const MEDIA = /^.*\/src\/(media\/.*\.generated)\.ts$/

/** Builds the command line into `dist/cli`: one file with all that a start needs, the rest by what is loaded later. */
export default defineConfig({
  build: {
    ssr: true,
    outDir: '../../dist/cli',
    emptyOutDir: true,
    target: 'node20.19',
    rolldownOptions: {
      input: ['main.ts', 'run.ts'],
      external: MEDIA,
      output: {
        paths: (id) => id.replace(MEDIA, '../$1.js'),
        // Not `main`: it does not come to its end as long as the server runs, and whoever imports from it waits.
        codeSplitting: { groups: [{ name: 'start', tags: ['$initial'], test: /(?<!\/cli\/main\.ts)$/ }] },
        chunkFileNames: '[name].js',
        comments: false,
      },
    },
  },
})
