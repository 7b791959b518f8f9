import { isTerminal, newStatusCounts, STATUSES } from '../../engine/tasks/task.js'
import type { SimulatorParts } from '../../simulator/simulator-parts.js'
import type { RowValue } from '../rows/check-row.js'
import type { StatePart } from '../state-part.js'

/**
 * The counts of all events, and of the rules and faults that have applied: one row. It is restored after the tasks: those
 * that have not ended are counted again, because their number decreases.
 */
export function counterPart({ counters, applications, tasks }: SimulatorParts): StatePart<'counters'> {
  const countTasks = () => {
    const found = newStatusCounts()
    for (const { status } of tasks.all()) found[status] += 1
    for (const status of STATUSES)
      counters.tasks[status] = isTerminal(status)
        ? Math.max(counters.tasks[status], found[status])
        : found[status]
  }

  return {
    kind: 'counters',
    isInEveryCommit: true,
    isLazy: true,
    watch() {},
    numbers: () => [0],
    write: () => ({
      value: {
        tasks: counters.tasks,
        requests: entriesOf(counters.requests),
        undelivered: entriesOf(counters.undelivered),
        faults: [...counters.faults],
        durations: counters.durations.saved,
        attempts: counters.attempts,
        spent: counters.spent,
        applications: applications.saved,
      },
    }),
    restore([row]) {
      if (row !== undefined) restoreCounts(row.value)
      countTasks()
    },
  }

  function restoreCounts(saved: RowValue<'counters'>): void {
    // A state of an earlier version has none.
    applications.restore(saved.applications ?? [])
    Object.assign(counters.tasks, saved.tasks)
    restoreEntries(counters.requests, saved.requests)
    restoreEntries(counters.undelivered, saved.undelivered)
    for (const [name, count] of saved.faults) counters.faults.set(name, count)
    counters.durations.restore(saved.durations)
    counters.attempts = saved.attempts
    counters.spent = saved.spent
  }
}

type Counts = Map<string, Map<number, number>>
type SavedCounts = readonly (readonly [string, readonly (readonly [number, number])[]])[]

function entriesOf(counts: Counts): SavedCounts {
  return [...counts].map(([name, byStatus]) => [name, [...byStatus]])
}

function restoreEntries(counts: Counts, saved: SavedCounts): void {
  for (const [name, byStatus] of saved) counts.set(name, new Map(byStatus))
}
