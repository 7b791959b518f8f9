import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, createLogger, type Rolldown } from 'vite'

/** A bundle for browsers, in memory. */
export interface Bundle {
  readonly chunks: readonly Chunk[]
  /** The output of the bundler by path: the chunks, and the HTML if there is any. */
  readonly files: ReadonlyMap<string, string | Uint8Array>
  /** The warnings of the bundler. */
  readonly warnings: readonly string[]
}

export interface Chunk {
  readonly file: string
  readonly code: string
  /** Whether it loads at the start, and not on first use. */
  readonly initial: boolean
  /** The paths of the modules in it. */
  readonly modules: readonly string[]
  /** The length of each module in it, before minification. */
  readonly lengths: ReadonlyMap<string, number>
  /** The module that caused this chunk, if there is one. */
  readonly facade: string | undefined
  /** All static and dynamic imports: other chunks, and external packages. */
  readonly imports: readonly string[]
}

/**
 * Bundles a module or a page with the production defaults of Vite, as a user would.
 * @param external the packages to leave out
 */
export async function bundle(entry: URL, external: readonly string[] = []): Promise<Bundle> {
  const warnings: string[] = []
  const input = fileURLToPath(entry)
  const output = await build({
    configFile: false,
    root: dirname(input),
    publicDir: false,
    logLevel: 'warn',
    customLogger: collectInto(warnings),
    build: {
      write: false,
      chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
      rolldownOptions: { input, external: [...external], preserveEntrySignatures: 'strict' },
    },
  })
  if (!('output' in output)) throw new Error(`Failed to bundle ${entry}: expected one output.`)
  return { ...contentsOf(output.output), warnings }
}

function collectInto(warnings: string[]) {
  // The library includes modules at the start that the server loads on first use. A bundler need not split them off.
  const collect = (message: string) => {
    if (!message.includes('INEFFECTIVE_DYNAMIC_IMPORT')) warnings.push(message)
  }
  return { ...createLogger('silent'), warn: collect, warnOnce: collect, error: collect }
}

function contentsOf(output: Rolldown.RolldownOutput['output']) {
  const chunks = output.filter((file) => file.type === 'chunk')
  const initial = startOf(chunks, output.map(pageText).join('\n'))
  return {
    chunks: chunks.map((chunk) => ({
      file: chunk.fileName,
      code: chunk.code,
      initial: initial.has(chunk.fileName),
      modules: Object.keys(chunk.modules),
      lengths: new Map(Object.entries(chunk.modules).map(([path, module]) => [path, module.renderedLength])),
      facade: chunk.facadeModuleId ?? undefined,
      imports: [...chunk.imports, ...chunk.dynamicImports],
    })),
    files: new Map(output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source])),
  }
}

/** Returns the text of a page, or an empty text for other files. */
function pageText(file: Rolldown.OutputChunk | Rolldown.OutputAsset): string {
  return file.type === 'asset' && file.fileName.endsWith('.html') ? String(file.source) : ''
}

/**
 * Returns the entry and all of its static imports.
 * @param pages the HTML pages: an entry that only imports another chunk leaves only the name of that chunk in its
 * page
 */
function startOf(chunks: readonly Rolldown.OutputChunk[], pages: string): ReadonlySet<string> {
  const isStart = ({ isEntry, fileName }: Rolldown.OutputChunk) => isEntry || pages.includes(fileName)
  const start = new Set(chunks.filter(isStart).map(({ fileName }) => fileName))
  for (const name of start) {
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
      start.add(imported)
  }
  return start
}
