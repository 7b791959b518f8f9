import { defineConfig } from 'vite'

/** The clips, glyphs and muxer: large files in `dist` that the command line shares with the library. */
const MEDIA = /^.*\/src\/(media\/(?:.*\.generated|video\/mp4))\.ts$/

/** The packages that are loaded on first use. */
const LAZY_PACKAGES = [
  '@faker-js/faker',
  '@mswjs/http-middleware',
  '@opentelemetry/api',
  '@opentelemetry/exporter-metrics-otlp-http',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/sdk-trace',
  '@redis/client',
  '@valibot/to-json-schema',
  'chokidar',
  'tokenx',
  'msw',
  'sharp',
  'valibot',
  'yaml',
]

/** Builds the command line into `dist/cli`: one file that every start needs, and chunks that are loaded on first use. */
export default defineConfig({
  // Bundle the packages too, because reading their hundreds of files takes much of the start time.
  ssr: { noExternal: true, external: LAZY_PACKAGES },
  plugins: [
    {
      // Omits a third of Express: the server reads bodies itself.
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
        // Exclude `main`: it awaits the server, so a module that imports from `main` would wait too.
        codeSplitting: { groups: [{ name: 'start', tags: ['$initial'], test: /(?<!\/cli\/main\.ts)$/ }] },
        chunkFileNames: '[name].js',
        comments: false,
      },
    },
  },
})
