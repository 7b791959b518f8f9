import { defineConfig } from 'vite'

/** The clips, glyphs and muxer: the command line shares these large files in `dist` with the library. */
const MEDIA = /^.*\/src\/(media\/(?:.*\.generated|video\/mp4))\.ts$/

/** The packages that are loaded on first use. */
const LATER = [
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

/** Builds the command line into `dist/cli`: one file with everything that a start needs, and chunks for first use. */
export default defineConfig({
  // Bundle the packages too: reading their hundreds of files takes a large part of a start.
  ssr: { noExternal: true, external: LATER },
  plugins: [
    {
      // A third of Express, which the server does not use: it reads bodies itself.
      name: 'without-body-parser',
      enforce: 'pre',
      resolveId: (id) => (id === 'body-parser' ? '\0no-body-parser' : undefined),
      load: (id) => (id === '\0no-body-parser' ? 'export default {}' : undefined),
    },
  ],
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
        // Exclude `main`: it awaits the server, and a module that imports from it would wait too.
        codeSplitting: { groups: [{ name: 'start', tags: ['$initial'], test: /(?<!\/cli\/main\.ts)$/ }] },
        chunkFileNames: '[name].js',
        comments: false,
      },
    },
  },
})
