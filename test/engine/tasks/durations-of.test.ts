import { expect, test } from 'vitest'
import { durationsOf } from '../../../src/engine/tasks/task.js'
import { aTask } from '../../support/tasks.js'

test.each([
  ['waits', { status: 'queued', startedAt: undefined }, { queued: 900, running: 0 }],
  ['runs', { status: 'processing', startedAt: 300 }, { queued: 200, running: 700 }],
  ['has ended', { status: 'succeeded', startedAt: 300, completedAt: 800 }, { queued: 200, running: 500 }],
  [
    'was canceled in the queue',
    { status: 'canceled', startedAt: undefined, completedAt: 400 },
    { queued: 300, running: 0 },
  ],
] as const)('a task that %s has a queue time and a run time', (_, fields, expected) => {
  expect(durationsOf(aTask({ createdAt: 100, ...fields }), 1_000)).toEqual(expected)
})
