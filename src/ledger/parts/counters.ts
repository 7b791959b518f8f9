import type { SimulatorParts } from '../../simulator/simulator-parts.js'
import type { StatePart } from '../state-part.js'

/** The counts of all events, and of the rules and faults that have applied: one row. */
export function counterPart({ counters, applications }: SimulatorParts): StatePart<'counters'> {
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
      if (row === undefined) return
      const { tasks, requests, undelivered, faults, durations, attempts, spent } = row.value
      // A state of an earlier version has none.
      applications.restore(row.value.applications ?? [])
      Object.assign(counters.tasks, tasks)
      restoreEntries(counters.requests, requests)
      restoreEntries(counters.undelivered, undelivered)
      for (const [name, count] of faults) counters.faults.set(name, count)
      counters.durations.restore(durations)
      counters.attempts = attempts
      counters.spent = spent
    },
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
