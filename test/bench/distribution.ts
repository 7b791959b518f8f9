import { existsSync } from 'node:fs'

const ROOT = new URL('../../dist/', import.meta.url)

/** The command line of the compiled package, which starts without a TypeScript loader. */
export const CLI = new URL('cli/main.js', ROOT)

/** Throws if the package is not compiled. */
export function requireDistribution(): void {
  if (existsSync(CLI)) return
  throw new Error('Failed to find dist/: benchmarks run the compiled package. Run `npm run build` first.')
}

/** Returns the URL of a compiled file, from its path below `dist`. */
export function compiled(path: string): string {
  return new URL(path, ROOT).href
}

/** Loads the compiled `src/index.ts`. */
export function loadLibrary(): Promise<typeof import('../../src/index.js')> {
  return import(compiled('index.js'))
}

/** Loads the file with the compiled `src/hosts/api.ts`, which is not an entry point. */
export function loadApi(): Promise<typeof import('../../src/hosts/api.js')> {
  return import(compiled('shared/api.js'))
}

/** Loads the compiled `src/hosts/msw/index.ts`. */
export function loadMswHost(): Promise<typeof import('../../src/hosts/msw/index.js')> {
  return import(compiled('hosts/msw/index.js'))
}
