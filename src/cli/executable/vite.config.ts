import { builtinModules } from 'node:module'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { omittedParts } from '../vite.config.js'

/** The modules that work otherwise in a single executable, by the end of their path. */
const REPLACED: Readonly<Record<string, string>> = {
  'src/cli/version.ts': 'version.ts',
  'src/hosts/express/package-files.ts': 'package-files.ts',
  'node_modules/sharp/dist/sharp.mjs': 'sharp-binding.ts',
}

/** The packages that run the user's MSW handlers. */
const MSW = ['msw', '@mswjs/http-middleware']

const missing = new Set(Object.keys(REPLACED))

const replaceModules: Plugin = {
  name: 'replace-modules',
  enforce: 'pre',
  async resolveId(id, importer, options) {
    if (MSW.includes(id)) return pathOf('no-msw.ts')
    const resolved = await this.resolve(id, importer, { ...options, skipSelf: true })
    const replaced = Object.keys(REPLACED).find((path) => resolved?.id.endsWith(`/${path}`))
    if (replaced === undefined) return resolved
    missing.delete(replaced)
    return pathOf(REPLACED[replaced] ?? '')
  },
  buildEnd() {
    if (missing.size > 0) throw new Error(`Nothing imports ${[...missing].join(' and ')}. Correct REPLACED.`)
  },
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url))
}

/**
 * Bundles the command line and all packages into one script, from which `scripts/build-executable.ts` makes a program.
 */
export default defineConfig({
  ssr: { noExternal: true, external: [...builtinModules] },
  plugins: [replaceModules, ...omittedParts],
  build: {
    ssr: true,
    outDir: '../../../build/script',
    emptyOutDir: true,
    target: 'node20.19',
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: 'main.ts',
      output: {
        format: 'cjs',
        entryFileNames: 'main.cjs',
        // A single executable has one script, and loads only the modules of Node, with `require`.
        codeSplitting: false,
        dynamicImportInCjs: false,
        comments: false,
      },
    },
  },
})
