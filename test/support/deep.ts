import { inject, it } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    isDeep: boolean
  }
}

/** Whether `npm run test:deep` runs the tests at full strength; `npm test` runs a sample. */
export const isDeep = inject('isDeep')

/** How many runs a test makes: `few` in `npm test`, `many` in `npm run test:deep`. */
export const runs = (few: number, many: number): number => (isDeep ? many : few)

/** All values in `npm run test:deep`; `few` of them, evenly spread, in `npm test`. */
export function sampleOf<Value>(few: number, values: readonly Value[]): Value[] {
  if (isDeep || values.length <= few) return [...values]
  return Array.from({ length: few }, (_, index) => values[Math.floor((index * values.length) / few)] as Value)
}

/** A test that takes too long for `npm test`. */
export const deepTest = it.runIf(isDeep)
