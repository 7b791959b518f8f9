import { readFileSync } from 'node:fs'

/** The version of the package. The single executable replaces this module: see src/cli/executable. */
export const VERSION: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version
