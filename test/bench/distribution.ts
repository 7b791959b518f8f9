import { compiled } from '../support/server.js'

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
