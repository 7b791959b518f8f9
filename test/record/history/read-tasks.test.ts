import { expect, it } from 'vitest'
import { readTasks } from '../../../src/record/history/read-tasks.js'
import { readTaskEntry } from '../../../src/record/history/task-entry.js'

const TASK = {
  id: 'task_1',
  model: 'acme/image-1',
  status: 'succeeded',
  created_at: '2026-11-22T10:00:00.000Z',
  completed_at: '2026-11-22T10:00:02.500Z',
}

async function read(...entries: object[]) {
  const skipped: string[] = []
  const pieces = (async function* () {
    for (const entry of entries) yield `${JSON.stringify(entry)}\n`
  })()
  const tasks = []
  const read = readTasks(pieces, {
    readEntry: readTaskEntry,
    listName: 'data',
    onSkipped: ({ line, message }) => skipped.push(`${line}: ${message}`),
  })
  for await (const task of read) tasks.push(task)
  return { tasks, skipped }
}

it('the reader of a history reads a task as the service shows it', async () => {
  const { tasks } = await read({
    ...TASK,
    started_at: '2026-11-22T10:00:01Z',
    cost_usd: 0.04,
    input: { prompt: 'x' },
    output: { images: ['u'] },
    error: null,
  })
  expect(tasks).toEqual([
    {
      id: 'task_1',
      dialect: 'tasks',
      model: 'acme/image-1',
      status: 'succeeded',
      createdAt: Date.parse('2026-11-22T10:00:00Z'),
      startedAt: Date.parse('2026-11-22T10:00:01Z'),
      endedAt: Date.parse('2026-11-22T10:00:02.5Z'),
      costUsd: 0.04,
      input: { prompt: 'x' },
      output: { images: ['u'] },
    },
  ])
})

it('the reader of a history ignores a task that came before, because pages may overlap', async () => {
  const { tasks, skipped } = await read(TASK, { ...TASK, id: 'task_2' }, TASK)
  expect(tasks.map(({ id }) => id)).toEqual(['task_1', 'task_2'])
  expect(skipped).toEqual([])
})

it.each([
  [{ id: '' }, 'id: expected a string, got ""'],
  [
    { status: 'done' },
    'status: expected `queued`, `processing`, `succeeded`, `failed` or `canceled`, got "done"',
  ],
  [{ created_at: 5 }, 'created_at: expected a time such as "2026-11-22T10:00:00.000Z", got 5'],
  [{ completed_at: '2026-11-22T09:00:00Z' }, 'completed_at: expected a time that is not before'],
  [{ started_at: '2026-11-22T09:00:00Z' }, 'started_at: expected a time that is not before `created_at`'],
  [{ cost_usd: '4 cents' }, 'cost_usd: expected a number of US dollars from 0 up, got "4 cents"'],
  [{ input: ['x'] }, 'input: expected an object, got ["x"]'],
])('the reader of a history skips a task with %j, and says why', async (fields, message) => {
  const { tasks, skipped } = await read(TASK, { ...TASK, id: 'task_2', ...fields })
  expect(tasks).toHaveLength(1)
  expect(skipped).toEqual([expect.stringContaining(`2: ${message}`)])
})
