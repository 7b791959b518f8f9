import { Chance } from '../../src/engine/random.js'
import { createSimulator, type SimulatorOptions } from '../../src/index.js'
import type { ObservedTask } from '../../src/record/history/observed-task.js'
import { readTasks } from '../../src/record/history/read-tasks.js'
import { readTaskEntry } from '../../src/record/history/task-entry.js'
import { call } from '../support/call.js'

/** What clients order from a service that a simulator plays. */
export interface Traffic {
  readonly scenario: NonNullable<SimulatorOptions['scenario']>
  readonly seed: string
  readonly tasks: number
  /** The mean time between two create requests, in milliseconds. The times are random. */
  readonly every: number
  readonly order: (index: number) => { readonly model: string; readonly input: object }
}

const KEY = 'sk_history'

/** Plays a service that shows when tasks start, and returns the pages of its list, one per line. */
export async function playHistory({ scenario, seed, tasks, every, order }: Traffic): Promise<string> {
  const start = Date.UTC(2026, 10, 1)
  const sim = createSimulator({ scenario, seed, clock: 'manual', start, keepTasks: tasks })
  const starts = new Map<string, string>()
  sim.on('task.finished', ({ id, startedAt }) => {
    if (startedAt !== undefined) starts.set(id, new Date(startedAt).toISOString())
  })
  const arrivals = Chance.of(`arrivals ${seed}`).stream('arrivals')
  try {
    for (let index = 0; index < tasks; index++) {
      await sim.clock.advance(Math.round(-Math.log1p(-arrivals.float()) * every))
      await call(sim, KEY, 'POST ', order(index))
    }
    await sim.clock.runUntilIdle()
    const pages: string[] = []
    for (let after = ''; ; ) {
      const { body } = await call(sim, KEY, `GET ?limit=100${after}`)
      for (const task of body.data) task.started_at = starts.get(task.id)
      pages.push(JSON.stringify(body))
      if (!body.has_more) return `${pages.join('\n')}\n`
      after = `&after=${body.next_cursor}`
    }
  } finally {
    sim.close()
  }
}

/** Reads the tasks in a history. Throws if an entry is not a task. */
export function tasksIn(pieces: AsyncIterable<string>): AsyncIterable<ObservedTask> {
  return readTasks(pieces, {
    readEntry: readTaskEntry,
    listName: 'data',
    onSkipped: ({ message }) => {
      throw new Error(message)
    },
  })
}
