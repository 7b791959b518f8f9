import { expect, test } from 'vitest'
import { learnTasks } from '../../bench/learn/run.js'

/** Node ends a process whose heap grows beyond this. The tasks of the history alone would need far more. */
const HEAP = '--max-old-space-size=64'

test('200,000 tasks are learned as a stream, with a heap of 64 MB', { timeout: 300_000 }, async () => {
  const { status, scenario } = await learnTasks(200_000, [HEAP])
  expect(status).toBe(0)
  expect(scenario).toContain('Learned by `tasksim learn` from the standard input: 200,000 tasks')
})
