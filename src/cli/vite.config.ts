import { defineConfig, minify, type Plugin } from 'vite'

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

/** The chunk with the SDK of the Model Context Protocol. */
const MCP_CHUNK = 'mcp-sdk'

const NO_VALIDATOR = `
export { default as process } from 'node:process'
export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('No schema is validated here.')
  }
}`

/** Omits the parts of packages that tasksim does not use. */
export const omittedParts: readonly Plugin[] = [
  {
    // Omits a third of Express: the server reads bodies itself.
    name: 'without-body-parser',
    enforce: 'pre',
    resolveId: (id) => (id === 'body-parser' ? '\0no-body-parser' : undefined),
    load: (id) => (id === '\0no-body-parser' ? 'export default {}' : undefined),
  },
  {
    // Omits two thirds of the code of the MCP server: no tool has an output schema or asks the user, and the control
    // API checks the arguments.
    name: 'without-schema-validator',
    enforce: 'pre',
    resolveId: (id) => (id === '@modelcontextprotocol/server/_shims' ? '\0no-schema-validator' : undefined),
    load: (id) => (id === '\0no-schema-validator' ? NO_VALIDATOR : undefined),
  },
]

/** Builds the command line into `dist/cli`: one file that every start needs, and chunks that are loaded on first use. */
export default defineConfig({
  // Bundle the packages too, because reading their hundreds of files takes much of the start time.
  ssr: { noExternal: true, external: LAZY_PACKAGES },
  plugins: [
    ...omittedParts,
    {
      // Halves the largest chunk that only one command needs, and whose code is not ours.
      name: 'minify-mcp-sdk',
      async generateBundle(_, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk' || chunk.name !== MCP_CHUNK) continue
          chunk.code = (await minify(chunk.fileName, chunk.code, { module: true })).code
        }
      },
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
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], test: /(?<!\/cli\/main\.ts)$/ },
            { name: MCP_CHUNK, test: /\/node_modules\/(?:@modelcontextprotocol|zod)\// },
          ],
        },
        chunkFileNames: '[name].js',
        comments: false,
      },
    },
  },
})
