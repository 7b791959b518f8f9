import { savedJob } from '../../engine/clock/schedule.js'
import { systemNow } from '../../engine/clock/system-clock.js'
import type { SimulatorParts } from '../../simulator/simulator-parts.js'
import { fillSoon } from '../../simulator/state.js'
import type { Row } from '../ledger.js'
import { LedgerError } from '../ledger-error.js'
import type { SavedState } from '../saved-state.js'
import type { StatePart } from '../state-part.js'

/** How the clock continues in another process. */
export type Resumption = 'as-if-running' | 'paused'

const META = 'meta'

/** The clock, the random seed, whether tasks were evicted, and whether waiting tasks start soon: one row. */
export function metaPart(parts: SimulatorParts, resumption: Resumption): StatePart<typeof META> {
  const { time, tasks, seed, events, filling } = parts
  return {
    kind: META,
    isInEveryCommit: true,
    watch(changed) {
      events.on('control.used', () => changed(0))
    },
    numbers: () => [0],
    write: () => ({
      value: {
        seed,
        clock: time.clock.reading,
        isDated: time.control.isDated || undefined,
        hasForgotten: tasks.hasForgotten,
        filling: savedJob(filling.job),
      },
    }),
    restore([row]) {
      if (row === undefined) return
      if (row.value.seed !== seed) throw otherSeed(row.value.seed, seed)
      time.clock.restore(row.value.clock, resumption === 'as-if-running')
      if (row.value.isDated) time.control.isDated = true
      tasks.hasForgotten = row.value.hasForgotten
      if (row.value.filling !== undefined) fillSoon(parts, row.value.filling)
    },
  }
}

function otherSeed(saved: string, given: string): LedgerError {
  return new LedgerError(
    `The saved state has the random seed ${JSON.stringify(saved)}, but the simulator has ${JSON.stringify(given)}. Start with the seed ${JSON.stringify(saved)}, or delete the saved state of a ledger with --ledger-reset (in code: \`reset: true\`).`,
  )
}

/**
 * Returns the random seed of a saved simulator. Build the new simulator with the same seed.
 * @returns undefined if there is no state
 */
export function seedOf(saved: SavedState): string | undefined {
  return saved.rows('', META)[0]?.value.seed
}

/** A row of a state that continues now, as if no time had passed since it was saved. */
export function continuedNow<Saved extends Row>(row: Saved): Saved {
  if (row.kind !== META || row.json === undefined) return row
  const value = JSON.parse(row.json)
  return { ...row, json: JSON.stringify({ ...value, clock: { ...value.clock, wall: systemNow() } }) }
}

/** The number of requests, from which their ids come: one row. */
export function requestCountPart({ requests, events }: SimulatorParts): StatePart<'requests'> {
  return {
    kind: 'requests',
    isLazy: true,
    watch(changed) {
      events.on('request.answered', () => changed(0))
    },
    numbers: () => [0],
    write: () => ({ value: requests.count }),
    restore([row]) {
      requests.count = row?.value ?? 0
    },
  }
}
