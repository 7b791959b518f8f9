import { expect, test, vi } from 'vitest'
import { taskText } from '../../../../src/dialects/table/answers/task-text.js'
import { exchangeOf } from '../../../../src/hosts/api.js'
import { createSimulator, type Task } from '../../../../src/index.js'
import { aTask } from '../../../support/tasks.js'
import { ACME, PLACE } from '../acme.js'

/** The number of times that a short text about a task is written for three polls. */
function writesFor(task: Task): number {
  const text = taskText({ ...ACME }, { own: { id: '{{id}}' } })
  const write = vi.spyOn(text, 'write')
  const sim = createSimulator()
  const call = exchangeOf(sim, {
    method: 'GET',
    path: `/api/v1/tasks/${task.id}`,
    query: '',
    origin: 'http://localhost',
    header: () => undefined,
    body: async () => undefined,
  })
  for (let poll = 0; poll < 3; poll++) text.of(task, call, PLACE)
  sim.close()
  return write.mock.calls.length
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
