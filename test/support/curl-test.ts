import { inject, it } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    hasCurl: boolean
  }
}

/** A test of commands that use curl. It is skipped where curl is not installed: see announce-mode.ts. */
export const curlTest = it.runIf(inject('hasCurl'))
