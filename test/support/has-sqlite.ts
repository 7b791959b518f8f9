import { describe, inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    hasSqlite: boolean
  }
}

/** Whether this Node has `node:sqlite`. */
export const hasSqlite = inject('hasSqlite')

/** Tests that need `node:sqlite`. On an older Node they are skipped, and the run says why. */
export const describeSqlite = describe.runIf(hasSqlite)
