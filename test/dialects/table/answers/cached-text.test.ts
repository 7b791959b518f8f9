import { expect, test } from 'vitest'
import { cachedText } from '../../../../src/dialects/table/answers/task-writer.js'
import { exchangeOf } from '../../../../src/hosts/api.js'
import { createSimulator, type Task } from '../../../../src/index.js'
import { aTask } from '../../../support/tasks.js'
import { PLACE } from '../acme.js'

/** The number of times that a short text about a task is written for three polls. */
function writesFor(task: Task): number {
  let writes = 0
  const textOf = cachedText({
    write: () => {
      writes += 1
      return { text: 'short', until: Number.POSITIVE_INFINITY }
    },
    hasUrls: false,
  })
  const sim = createSimulator()
  const call = exchangeOf(sim, {
    method: 'GET',
    path: `/api/v1/tasks/${task.id}`,
    query: '',
    origin: 'http://localhost',
    header: () => undefined,
    body: async () => undefined,
  })
  for (let poll = 0; poll < 3; poll++) textOf(call, task, PLACE)
  sim.close()
  return writes
}

test('the text about a small task is written once', () => {
  expect(writesFor(aTask())).toBe(1)
})

test.each<[string, Partial<Task>]>([
  ['order', { inputBytes: 10_000_000 }],
  ['output', { status: 'succeeded', result: { files: 0, output: { text: 'word '.repeat(10_000) } } }],
])('the cache retains no task with a large %s, because the memory budget does not count it', (_, fields) => {
  expect(writesFor(aTask(fields))).toBe(3)
})
