import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, createLogger, type Rolldown } from 'vite'

/** A bundle for browsers, in memory. */
export interface Bundle {
  readonly chunks: readonly Chunk[]
  /** What the bundler writes by its path: the chunks, and the HTML where there is any. */
  readonly files: ReadonlyMap<string, string | Uint8Array>
  /** What the bundler complained about. */
  readonly warnings: readonly string[]
}

export interface Chunk {
  readonly file: string
  readonly code: string
  /** Whether it is loaded at the start, and not on first use. */
  readonly initial: boolean
  /** The paths of the modules that it holds. */
  readonly modules: readonly string[]
  /** How long each of them is in it, before it is minified. */
  readonly lengths: ReadonlyMap<string, number>
  /** The module that it was made for, where there is one. */
  readonly facade: string | undefined
  /** What it imports, in whatever way: other chunks, and what was left out of the bundle. */
  readonly imports: readonly string[]
}

/**
 * Bundles a module or a page as its user would, with Vite's own settings for production.
 * @param external the packages that are left out
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
  // What the server loads on first use is in the library from the start; a bundler need not split it off.
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

/** A page, as text; nothing of what is no page. */
function pageText(file: Rolldown.OutputChunk | Rolldown.OutputAsset): string {
  return file.type === 'asset' && file.fileName.endsWith('.html') ? String(file.source) : ''
}

/**
 * The entry, and all that it imports statically.
 * @param pages of an entry that only imports another chunk nothing is left but the name of that in its page
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
