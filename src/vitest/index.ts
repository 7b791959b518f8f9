/**
 * Vitest with a simulator in every test. Importing it adds the assertions to `expect`.
 *
 * For Node, not for Vitest's browser mode.
 * @module
 */
import { expect } from 'vitest'
import { type FindingsOptions, matchers } from './matchers.js'
import { simTest } from './sim-test.js'

expect.extend(matchers)

/** A `test` in which every test has a `sim` of its own, with the default scenario on a manual clock. */
export const test = simTest()

/** Assertions on a task, as the API shows it, or on all tasks of a simulator. */
export interface SimMatchers<R = void> {
  /** Asserts that the task, or every task that the simulator has made, has succeeded. */
  toHaveSucceeded(): R
  /** Asserts that the task, or every task that the simulator has made, has failed, with an error of this code. */
  toHaveFailed(code?: string | RegExp): R
  /** Asserts what the task has cost, or all tasks together, in US dollars. */
  toHaveCost(usd: number): R
  /** Asserts that the client under test did nothing wrong, as far as the simulator's journal tells. */
  toHaveNoFindings(options?: FindingsOptions): R
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: an augmentation repeats the type parameters of what it augments
  interface Matchers<T = any> extends SimMatchers {}
}

export type { FindingsOptions } from './matchers.js'
export { type SimFixtures, type SimTestOptions, simTest } from './sim-test.js'
export { expect }
