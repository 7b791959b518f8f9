import { expect, it } from 'vitest'
import { type PlannedRun, planRuns } from '../../src/explore/plan.js'
import { RunQueue } from '../../src/explore/queue.js'
import { PLACES, reached } from './fake-driver.js'

const PLANNED = planRuns(PLACES.map((id) => reached(id)))

/** The first runs that begin. */
function begun(count: number, queue = new RunQueue(PLANNED, Infinity)): PlannedRun[] {
  return Array.from({ length: count }, () => queue.next()).filter((run) => run !== undefined)
}

const firstOf = ({ deviations: [first] }: PlannedRun) => first
const groupOf = (run: PlannedRun) => `${firstOf(run)?.place} ${firstOf(run)?.class}`

it('the first runs are one of each class at each place', () => {
  const groups = new Set(PLANNED.map(groupOf))
  const first = begun(groups.size)
  expect(new Set(first.map(groupOf))).toEqual(groups)
  const transient = first.filter((run) => firstOf(run)?.class === 'transient')
  expect(new Set(transient.map((run) => firstOf(run)?.word)).size).toBeGreaterThan(3)
})

it('wherever the runs end, each class at each place has had the same share', () => {
  const half = begun(PLANNED.length / 2)
  for (const group of new Set(PLANNED.map(groupOf))) {
    const [all, done] = [PLANNED, half].map((runs) => runs.filter((run) => groupOf(run) === group).length)
    expect(Math.abs((done ?? 0) - (all ?? 0) / 2), group).toBeLessThanOrEqual(1)
  }
})

it('the order is the same each time, and has each run once', () => {
  const ids = begun(PLANNED.length + 1).map(({ id }) => id)
  expect(begun(PLANNED.length).map(({ id }) => id)).toEqual(ids)
  expect([...ids].sort()).toEqual(PLANNED.map(({ id }) => id).sort())
})

it('the cells and the waiting runs are in the order of the plan', () => {
  const queue = new RunQueue(PLANNED, 5)
  const ids = begun(3, queue).map(({ id }) => id)
  expect(queue.cells).toHaveLength(5)
  expect(queue.cells.map(({ id }) => id)).toEqual(expect.arrayContaining(ids))
  expect(queue.waiting.map(({ id }) => id)).toEqual(
    PLANNED.map(({ id }) => id).filter((id) => !ids.includes(id)),
  )
})
