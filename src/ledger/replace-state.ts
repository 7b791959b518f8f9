import { UsageError } from '../engine/errors.js'
import { Simulator } from '../simulator.js'
import { checkTaskRows } from './check-task-rows.js'
import { LedgerError } from './ledger-error.js'
import { mainSpace, restoreSpaces, type SavedSpaces } from './restore.js'
import { rowsBySpace } from './rows-by-space.js'
import type { StateRow } from './state-file.js'
import type { SavedRow } from './state-part.js'

/**
 * Replaces the whole state of a running simulator, which then continues at the time of the new state. If a row cannot be
 * used, nothing changes.
 * @throws UsageError with the line of a row that cannot be used; LedgerError if the state has another seed, or the
 * simulator has a ledger
 */
export async function replaceState(sim: Simulator, rows: readonly StateRow[]): Promise<void> {
  if (sim.parts.gate.keeper !== undefined)
    throw new LedgerError(
      'The state of this server is in a ledger. Stop the server, import the file with `tasksim import FILE --ledger ADDRESS --force`, and start the server again.',
    )
  await checkState(sim, rows)
  const spaces = await rowsBySpace([rows])
  await sim.reset()
  sim.sandboxes.clear()
  // The reset has added a journal entry.
  sim.parts.journal.clear()
  await restoreSpaces(sim, spaces, 'paused')
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
  let line = 0
  const spaces = observed(await rowsBySpace([rows]), rows, (read) => {
    line = read
  })
  try {
    await restoreSpaces(trial, spaces, 'paused')
    checkPlaces(trial, rows, new Set(trial.sandboxes.list().map(({ identity }) => identity.id)))
  } catch (error) {
    throw error instanceof UsageError ? error : unusable(line, error)
  } finally {
    trial.close()
  }
}

/** A part reads its rows in order, so the last row that was read is the one with the mistake. */
function unusable(line: number, error: unknown): UsageError {
  const reason = error instanceof Error ? error.message : String(error)
  return new UsageError(
    `Line ${line} of the state cannot be used: ${reason}. Correct the line, or export the state again.`,
    { cause: error },
  )
}

/** Rejects rows that no part of the state would restore, or that two lines have. */
function checkPlaces(trial: Simulator, rows: readonly StateRow[], sandboxes: ReadonlySet<string>): void {
  const kinds = new Set(mainSpace(trial).parts.map(({ kind }) => kind))
  const lines = new Map<string, number>()
  for (const { line, kind, space, seq } of rows) {
    const place = placeOf(space, kind, seq)
    const first = lines.get(place)
    if (first !== undefined)
      throw new UsageError(`Line ${line} of the state has the same row as line ${first}. Delete one of them.`)
    lines.set(place, line)
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

/** Wraps rows, so that reading the content of a row reports its line. */
function observed(
  spaces: SavedSpaces,
  rows: readonly StateRow[],
  onRead: (line: number) => void,
): SavedSpaces {
  const lines = new Map(rows.map(({ space, kind, seq, line }) => [placeOf(space, kind, seq), line]))
  const observedRow = (space: string, kind: string, { seq, bytes, value }: SavedRow): SavedRow => ({
    seq,
    bytes,
    get value() {
      onRead(lines.get(placeOf(space, kind, seq)) ?? 0)
      return value
    },
  })
  return new Map(
    [...spaces].map(([space, kinds]) => [
      space,
      new Map([...kinds].map(([kind, saved]) => [kind, saved.map((row) => observedRow(space, kind, row))])),
    ]),
  )
}

function placeOf(space: string, kind: string, seq: number): string {
  return JSON.stringify([space, kind, seq])
}
