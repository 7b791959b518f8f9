import type { RunnerTestCase } from 'vitest'
import { explainEscape } from '../../src/vitest/explain-errors.js'
import { expect, test } from '../../src/vitest/index.js'

/** A test that has failed with an error, as Vitest shows it. */
const failed = (error: object) =>
  ({ result: { state: 'fail', errors: [error] } }) as unknown as RunnerTestCase
const notFound = {
  message: 'Connection error.',
  cause: { message: 'fetch failed', cause: { code: 'ENOTFOUND' } },
}

test('a client that was not intercepted is told how it will be', ({ sim }) => {
  expect(() => explainEscape(failed(notFound), sim)).toThrow(/got ENOTFOUND from the network.*`setupFiles`/)
  expect(() => explainEscape(failed({ message: 'Wrong key', status: 401 }), sim)).toThrow(/the status 401/)
})

test('other errors are left alone', async ({ sim }) => {
  explainEscape(failed({ message: 'no result', cause: new Error('none') }), sim)
  await fetch('https://api.example.com/api/v1/tasks')
  explainEscape(failed(notFound), sim)
})
