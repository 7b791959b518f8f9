import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/** The clips, glyphs and muxer: large, and in `dist` already, where the library has them. */
const MEDIA = /^.*\/src\/(media\/(?:.*\.generated|video\/mp4))\.ts$/

/** What is loaded on first use. */
const LATER = [
  '@eslint-community/regexpp',
  '@faker-js/faker',
  '@mswjs/http-middleware',
  '@valibot/to-json-schema',
  'chokidar',
  'tokenx',
  'msw',
  'sharp',
  'valibot',
  'yaml',
]

/** Builds the command line into `dist/cli`: one file with all that a start needs, the rest by what is loaded later. */
export default defineConfig({
  // Packages too: to find and read their hundreds of files takes a good part of a start.
  ssr: { noExternal: true, external: LATER },
  // Express has it at hand for those who ask for it. The server reads bodies itself.
  resolve: { alias: { 'body-parser': fileURLToPath(new URL('no-body-parser.ts', import.meta.url)) } },
  build: {
    ssr: true,
    outDir: '../../dist/cli',
    emptyOutDir: true,
    target: 'node20.19',
    license: { fileName: 'licenses.md' },
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
