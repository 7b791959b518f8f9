import { chmodSync } from 'node:fs'
import { defineConfig, minify, type Plugin } from 'vite'

/** The clips, glyphs and muxer: large files in `dist` that the command line shares with the library. */
const MEDIA = /^.*\/src\/(media\/(?:.*(?<!\/index)\.generated|video\/mp4))\.ts$/

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

/** The chunk with the packages that every start needs. */
const PACKAGES_CHUNK = 'packages'

/**
 * The packages that Express imports for features that the server does not use: bodies, nested query parameters, files,
 * and content types by file extension. They are more than half of its code.
 */
const UNUSED_PARTS_OF_EXPRESS = ['body-parser', 'mime-db', 'qs', 'send', 'serve-static']

const WIDTH_OF_ASCII = `
import { stripVTControlCharacters } from 'node:util'
export default (text) => stripVTControlCharacters(text).length`

const NO_VALIDATOR = `
export { default as process } from 'node:process'
export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('No schema is validated here.')
  }
}`

/** Omits the parts of packages that tasksim does not use. */
export const omittedParts: readonly Plugin[] = [
  replacement('unused-parts-of-express', UNUSED_PARTS_OF_EXPRESS, 'export default {}'),
  // The help of yargs is in English. The Unicode tables for other languages take as much time as loading Express.
  replacement('string-width', ['string-width'], WIDTH_OF_ASCII),
  // These are two thirds of the code of the MCP server: no tool has an output schema or asks the user, and the control
  // API checks the arguments.
  replacement('schema-validator', ['@modelcontextprotocol/server/_shims'], NO_VALIDATOR),
]

/**
 * Loads `node:http` without importing it. An import reads every export, and from Node 22 three of them load a WebSocket
 * client, which takes as much time as loading Express.
 */
const httpWithoutWebSocket = replacement(
  'http',
  ['http', 'node:http'],
  `
const http = process.getBuiltinModule('node:http')
export const { Agent, IncomingMessage, METHODS, STATUS_CODES, ServerResponse, createServer, request } = http
export default http`,
)

/** Replaces modules by others. */
function replacement(name: string, modules: readonly string[], code: string): Plugin {
  const id = `\0${name}`
  return {
    name,
    enforce: 'pre',
    resolveId: (imported) => (modules.includes(imported) ? id : undefined),
    load: (loaded) => (loaded === id ? code : undefined),
  }
}

/** Builds the command line into `dist/cli`: one file that every start needs, and chunks that are loaded on first use. */
export default defineConfig({
  // Bundle the packages too, because reading their hundreds of files takes much of the start time.
  ssr: { noExternal: true, external: LAZY_PACKAGES },
  plugins: [
    ...omittedParts,
    httpWithoutWebSocket,
    {
      // In a clone, `npx tasksim` runs this file. npm makes it executable only when it links the clone, not after a
      // build.
      name: 'executable',
      writeBundle: () => chmodSync(new URL('../../dist/cli/main.js', import.meta.url), 0o755),
    },
    {
      // Halves the chunks whose code is not ours.
      name: 'minify-packages',
      async generateBundle(_, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk' || ![MCP_CHUNK, PACKAGES_CHUNK].includes(chunk.name)) continue
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
            { name: PACKAGES_CHUNK, tags: ['$initial'], test: /\/node_modules\// },
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
