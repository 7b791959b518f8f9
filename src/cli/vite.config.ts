import { defineConfig } from 'vite'

/** What media are made of: large, and in `dist` already, where the library has it. */
const MEDIA = /^.*\/src\/(media\/.*\.generated)\.ts$/

/** Builds the command line into `dist/cli`: one file with all that a start needs, the rest by what is loaded later. */
export default defineConfig({
  build: {
    ssr: 'main.ts',
    outDir: '../../dist/cli',
    emptyOutDir: true,
    target: 'node20.19',
    rolldownOptions: {
      external: MEDIA,
      output: {
        paths: (id) => id.replace(MEDIA, '../$1.js'),
        // What is loaded later must not lead to `main`, which does not come to its end as long as the server runs.
        codeSplitting: { groups: [{ name: 'start', tags: ['$initial'], test: /(?<!\/cli\/main\.ts)$/ }] },
        chunkFileNames: '[name].js',
        comments: false,
      },
    },
  },
})
