/**
 * A Vitest fixture with a simulator per test. The import also adds assertions to `expect`.
 *
 * It runs in Node, not in the browser mode of Vitest.
 * @module
 */
import { expect } from 'vitest'
import { replaceFetch } from './current-fetch.js'
import { type FindingsOptions, matchers } from './matchers.js'
import { simTest } from './sim-test.js'
import { replaceTimers } from './timers/global-time.js'

expect.extend(matchers)
replaceFetch()
replaceTimers()

/** A `test` with a separate `sim` for each test: the default scenario on a manual clock. */
export const test = simTest()

/** Assertions on a task from the API, or on all tasks of a simulator. */
export interface SimMatchers<R = void> {
  /** Asserts that the task, or every task of the simulator, succeeded. */
  toHaveSucceeded(): R
  /** Asserts that the task, or every task of the simulator, failed, optionally with this error code. */
  toHaveFailed(code?: string | RegExp): R
  /** Asserts the cost of the task, or of all tasks of the simulator together, in US dollars. */
  toHaveCost(usd: number): R
  /** Asserts that the simulator has no findings about the client under test. */
  toHaveNoFindings(options?: FindingsOptions): R
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: an augmentation must repeat the type parameters of the interface
  interface Matchers<T = any> extends SimMatchers {}
}

export { type ExploreOptions, explore } from './explore.js'
export type { ExploreContext } from './in-process-driver.js'
export type { FindingsOptions } from './matchers.js'
export { type SimFixtures, simTest } from './sim-test.js'
export type { SimTestOptions } from './world.js'
export { expect }
