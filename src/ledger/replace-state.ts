import { UsageError } from '../engine/errors.js'
import { Simulator } from '../simulator.js'
import { checkTaskRows } from './check-task-rows.js'
import { LedgerError } from './ledger-error.js'
import { mainSpace, restoreSpaces } from './restore.js'
import { RowError } from './row-error.js'
import { keyOf } from './row-place.js'
import { SavedState } from './saved-state.js'
import type { StateRow } from './state-file.js'

/**
 * Replaces the whole state of a running simulator, which then continues at the time of the new state. If a row cannot be
 * used, nothing changes.
 * @throws UsageError with the line of a row that cannot be used; LedgerError if the state has another seed, or the
 * simulator has a ledger
 */
export async function replaceState(sim: Simulator, rows: readonly StateRow[]): Promise<void> {
  if (sim.parts.gate.writer !== undefined)
    throw new LedgerError(
      'The state of this server is in a ledger. Stop the server, import the file with `tasksim import FILE --ledger ADDRESS --force`, and start the server again.',
    )
  await checkState(sim, rows)
  const saved = await SavedState.read([rows])
  await sim.reset()
  sim.sandboxes.clear()
  // The reset has added a journal entry.
  sim.parts.journal.clear()
  await restoreSpaces(sim, saved, 'paused')
}

/**
 * Checks rows by restoring another simulator from them.
 * @param like a simulator with the same seed and dialects
 * @throws UsageError with the line of a row that cannot be used; LedgerError if the state has another seed
 */
export async function checkState(like: Simulator, rows: readonly StateRow[]): Promise<void> {
  const { seed, dialects, parts } = like
  checkTaskRows(rows)
  const trial = new Simulator(parts.active.initial, { seed, clock: 'manual' }, undefined, { dialects })
  try {
    await restoreSpaces(trial, await SavedState.read([rows]), 'paused')
    checkPlaces(trial, rows, new Set(trial.sandboxes.list().map(({ identity }) => identity.id)))
  } catch (error) {
    throw error instanceof RowError ? unusable(rows, error) : error
  } finally {
    trial.close()
  }
}

function unusable(rows: readonly StateRow[], { place, reason, cause }: RowError): UsageError {
  const line = rows.find((row) => keyOf(row) === keyOf(place))?.line
  return new UsageError(
    `Line ${line} of the state cannot be used: ${reason}. Correct the line, or export the state again.`,
    { cause },
  )
}

/** Rejects rows that no part of the state would restore, or that two lines have. */
function checkPlaces(trial: Simulator, rows: readonly StateRow[], sandboxes: ReadonlySet<string>): void {
  const kinds = new Set(mainSpace(trial).parts.map(({ kind }) => kind))
  const lines = new Map<string, number>()
  for (const row of rows) {
    const { line, kind, space } = row
    const first = lines.get(keyOf(row))
    if (first !== undefined)
      throw new UsageError(`Line ${line} of the state has the same row as line ${first}. Delete one of them.`)
    lines.set(keyOf(row), line)
    if (!kinds.has(kind))
      throw new UsageError(
        `Line ${line} of the state has the unknown kind ${JSON.stringify(kind.slice(0, 100))}. Expected ${[...kinds].join(', ')}.`,
      )
    if (space !== '' && !sandboxes.has(space))
      throw new UsageError(
        `Line ${line} of the state belongs to the sandbox ${JSON.stringify(space.slice(0, 100))}, which the state does not have. Export the state again.`,
      )
  }
}
