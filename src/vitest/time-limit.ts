import type { RunnerTestCase } from 'vitest'

const TIMED_OUT = /^Test timed out in (\d+)ms/

type TestError = NonNullable<NonNullable<RunnerTestCase['result']>['errors']>[number]

/** The error of a test that has reached Vitest's time limit, and this limit in milliseconds. */
export function timeoutOf(
  result: RunnerTestCase['result'],
): { readonly error: TestError; readonly limit: number } | undefined {
  const error = result?.errors?.find(({ message }) => TIMED_OUT.test(message))
  return error && { error, limit: Number(TIMED_OUT.exec(error.message)?.[1]) }
}

/** Replaces the message of an error, also in its stack. */
export function replaceMessage(error: TestError, message: string): void {
  if (error.stack !== undefined) error.stack = error.stack.replace(error.message, message)
  error.message = message
}
