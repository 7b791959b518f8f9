import { inject, it } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    isDeep: boolean
    isOnAllHosts: boolean
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

/** Whether suites run on all hosts, as in `npm run test:deep` and on each Node and MSW of `test:matrix`. */
export const isOnAllHosts = inject('isOnAllHosts')

/** A test of a host that takes too long for `npm test`. */
export const slowHostTest = it.runIf(isOnAllHosts)

/**
 * The hosts on which the tests of a suite run: one of them in `npm test`, which depends on the title of the suite, so
 * that about half of the suites run on each of two hosts; all of them in `npm run test:deep` and `test:matrix`.
 */
export function hostsFor<Host>(title: string, hosts: readonly Host[]): readonly Host[] {
  if (isOnAllHosts) return hosts
  const sum = [...title].reduce((total, letter) => total + letter.charCodeAt(0), 0)
  return hosts.filter((_, index) => index === sum % hosts.length)
}
