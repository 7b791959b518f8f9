/**
 * Bundles the library into a few files. Node would take longer to find, open and link its modules than a test takes that
 * imports them. Each entry point keeps its path, and so does each module that is loaded on first use or replaced for
 * browsers.
 */
import { readFileSync } from 'node:fs'
import { basename, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'
import { shortenSourceMap } from './shorten-source-map.js'
import { stripDescriptions } from './strip-descriptions.js'

const root = new URL('../', import.meta.url)
const src = fileURLToPath(new URL('src/', root))
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))

const ENTRIES = modulesIn(manifest.exports)

/** The modules that are replaced for browsers, and their replacements. */
const REPLACED = modulesIn(Object.keys(manifest.browser))
const REPLACEMENTS = modulesIn(Object.values(manifest.browser))

/** The parts of the main entry point. A page that uses only one of them loads no code that only others need. */
const CREATE_SIMULATOR = moduleAt('library/create-simulator')
const PARTS = [
  CREATE_SIMULATOR,
  moduleAt('engine/webhooks/signing/signature'),
  moduleAt('scenario/parse-scenario'),
  moduleAt('dialects/language/parse-dialect'),
]

const SCHEMA = /\/src\/scenario\/schema\/[\w-]+\.ts$/

/** A bundle of its own, see bundle-muxer.ts. */
const MUXER = 'media/video/mp4'

const smallerSchema: Plugin = {
  name: 'smaller-schema',
  enforce: 'pre',
  transform: (code, id) => (SCHEMA.test(id) ? { code: stripDescriptions(code), map: null } : undefined),
}

const shorterSourceMaps: Plugin = {
  name: 'shorter-source-maps',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      const map = bundle[`${chunk.fileName}.map`]
      if (chunk.type === 'chunk' && map?.type === 'asset')
        map.source = shortenSourceMap(String(map.source), chunk.code)
    }
  },
}

/** Returns the modules behind the compiled files in a part of the manifest. */
function modulesIn(part: unknown): string[] {
  return [...JSON.stringify(part).matchAll(/\.\/dist\/([\w./-]+)\.js\b/g)].map(([, path = '']) =>
    moduleAt(path),
  )
}

/** @param path below `src`, without extension */
function moduleAt(path: string): string {
  return `${src}${path}.ts`
}

function pathOf(id: string): string {
  return relative(src, id).replaceAll('\\', '/').replace(/\.ts$/, '')
}

type ImportsOf = (id: string) => Pick<Rolldown.ModuleInfo, 'importedIds' | 'dynamicallyImportedIds'>

/**
 * Returns the name of the file of each module that an entry point imports statically. The modules in a file have the same
 * users, so nothing is loaded in vain, and no two files import each other.
 */
function startFiles(importsOf: ImportsOf): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const files = new Map<string, string>()
  for (const [id, users] of usersOfModules(importsOf)) {
    if (ENTRIES.includes(id)) continue
    const key = users.join()
    const name = names.get(key) ?? unusedName(basename(id, '.ts'), [...names.values()])
    names.set(key, name)
    files.set(id, REPLACED.includes(id) ? pathOf(id) : name)
  }
  return files
}

/**
 * Returns the users of each module that an entry point imports statically: entry points, parts, and modules that are
 * loaded on first use. The latter need a simulator, so a module that `createSimulator` imports is there before them.
 */
function usersOfModules(importsOf: ImportsOf): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>([...PARTS, ...ENTRIES].map((id) => [id, []]))
  for (const user of [...users.keys()])
    for (const id of reachable([user], importsOf)) users.set(id, [...(users.get(id) ?? []), user])
  const modules = reachable(ENTRIES, (id) => {
    const { importedIds, dynamicallyImportedIds } = importsOf(id)
    return { importedIds: [...importedIds, ...dynamicallyImportedIds] }
  })
  const onFirstUse = new Set([...modules].flatMap((id) => importsOf(id).dynamicallyImportedIds))
  for (const user of onFirstUse)
    for (const id of reachable([user], importsOf))
      if (users.get(id)?.includes(CREATE_SIMULATOR) === false) users.get(id)?.push(user)
  return users
}

/** Returns some modules and the modules of the library that they import, in any number of steps. */
function reachable(
  from: readonly string[],
  importsOf: (id: string) => Pick<Rolldown.ModuleInfo, 'importedIds'>,
): ReadonlySet<string> {
  const found = new Set(from)
  // The loop also visits the modules that it adds.
  for (const id of found)
    for (const imported of importsOf(id).importedIds) if (imported.startsWith(src)) found.add(imported)
  return found
}

function unusedName(name: string, used: readonly string[]): string {
  let unused = name
  for (let number = 2; used.includes(unused); number++) unused = `${name}-${number}`
  return unused
}

const EXTERNAL = { importedIds: [], dynamicallyImportedIds: [] }

let files: ReadonlyMap<string, string> | undefined

await build({
  configFile: false,
  root: src,
  publicDir: false,
  logLevel: 'warn',
  plugins: [smallerSchema, shorterSourceMaps],
  build: {
    ssr: true,
    outDir: fileURLToPath(new URL('dist', root)),
    emptyOutDir: false,
    target: 'es2023',
    sourcemap: true,
    rolldownOptions: {
      input: Object.fromEntries([...ENTRIES, ...REPLACEMENTS].map((id) => [pathOf(id), id])),
      external: (id) => id.endsWith(`/${MUXER}.ts`),
      // Required by `includeDependenciesRecursively`. An entry point has a file of its own, so no other file needs more of it.
      preserveEntrySignatures: 'allow-extension',
      checks: { ineffectiveDynamicImport: false },
      output: {
        paths: (id) => (id.endsWith(`/${MUXER}.ts`) ? `./${MUXER}.js` : id),
        entryFileNames: '[name].js',
        chunkFileNames: ({ name, facadeModuleId }) => {
          if (facadeModuleId) return `${pathOf(facadeModuleId)}.js`
          return name.includes('/') ? '[name].js' : 'shared/[name].js'
        },
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            {
              debugName: 'start',
              name(id, context) {
                files ??= startFiles((module) => context.getModuleInfo(module) ?? EXTERNAL)
                return files.get(id) ?? null
              },
            },
          ],
        },
        // A replacement and what it replaces export the same names.
        minifyInternalExports: false,
        comments: { jsdoc: false },
        sourcemapExcludeSources: true,
      },
    },
  },
})
