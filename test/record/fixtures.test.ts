import { describe, expect, it } from 'vitest'
import { Dialects } from '../../src/dialects/dialects.js'
import type { ObservedTask } from '../../src/record/history/observed-task.js'
import { type ActualTask, hasHistory, historyFixture, observe } from './histories.js'

/** How far observed times may be from the actual ones, in milliseconds. */
interface Precision {
  /** A request is sent before its task is created, and some services show whole seconds. */
  readonly early: number
  /** A client may learn about an end one polling interval later. */
  readonly late: number
  /** Whether the service shows when tasks start. */
  readonly showsStart?: true
}

const PRECISION: Readonly<Record<string, Precision>> = {
  assemblyai: { early: 31, late: 18_000 },
  fal: { early: 31, late: 40_000 },
  google: { early: 31, late: 11_000 },
  luma: { early: 0, late: 29_000 },
  openai: { early: 1_000, late: 6_000 },
  openrouter: { early: 31, late: 53_000 },
  replicate: { early: 0, late: 0, showsStart: true },
  runpod: { early: 31, late: 30, showsStart: true },
  runway: { early: 0, late: 10_000 },
  tasks: { early: 0, late: 20 },
}

describe.each(new Dialects().names.filter(hasHistory))('the requests of a client of %s', (dialect) => {
  it('show every task, its model and its end', async () => {
    const history = historyFixture(dialect)
    const { tasks, skipped } = await observe(history)
    expect(skipped).toEqual([])
    expect(tasks.map(seen)).toEqual(history.tasks.map(actual))
  })

  it('show when tasks were created and ended', async () => {
    const { tasks: actualTasks, ...history } = historyFixture(dialect)
    const { tasks } = await observe(history)
    const { early, late, showsStart } = PRECISION[dialect] ?? { early: 0, late: 0 }
    for (const [index, { id, createdAt, startedAt, endedAt = 0 }] of tasks.entries()) {
      const { created, started, ended } = actualTasks[index] ?? expect.unreachable(id)
      expectWithin(createdAt, Date.parse(created), { early, late: 0 })
      if (ended !== undefined) expectWithin(endedAt, Date.parse(ended), { early, late })
      if (showsStart && started !== undefined)
        expectWithin(startedAt, Date.parse(started), { early, late: 0 })
    }
  })
})

it('a video with a picture of its beginning is a video', async () => {
  const { tasks } = await observe(historyFixture('luma'))
  const outputs = tasks.map(({ kind, output = {} }) => `${kind} ${Object.keys(output)}`)
  expect(new Set(outputs)).toEqual(new Set(['video video', 'image images', 'video ', 'image ']))
})

function seen({ id, model, status, error, costUsd, endedAt }: ObservedTask) {
  const cost = status === 'succeeded' ? costUsd : undefined
  return { id, model, status, error, cost, hasEnded: endedAt !== undefined }
}

function actual({ id, model, status, error, cost, ended }: ActualTask) {
  return { id, model, status, error, cost, hasEnded: ended !== undefined }
}

function expectWithin(time: number | undefined, expected: number, { early, late }: Precision): void {
  expect(time).toBeGreaterThanOrEqual(expected - early)
  expect(time).toBeLessThanOrEqual(expected + late)
}
