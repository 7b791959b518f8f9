import { Dialects } from '../dialects/dialects.js'
import { UsageError } from '../engine/errors.js'
import { filesIn } from '../scenario/layers/own-files.js'
import { Simulator } from '../simulator/simulator.js'
import { keyOf } from './ledger.js'
import { LedgerError, RowError } from './ledger-error.js'
import { isRowKind, ROW_KINDS } from './rows/check-row.js'
import { SavedState } from './saved-state.js'
import { prepareSpaces, restoreSpaces } from './spaces.js'
import type { StateRow } from './state-file.js'

/**
 * Replaces the whole state of a running simulator, which then continues at the time of the new state. If a row cannot be
 * used, nothing changes.
 * @throws UsageError with the line of a row that cannot be used; LedgerError if the state has another seed, or the
 * simulator has a ledger
 */
export async function replaceState(sim: Simulator, rows: readonly StateRow[]): Promise<void> {
  if (sim.gate.writer !== undefined)
    throw new LedgerError(
      'The state of this server is in a ledger. Stop the server, import the file with `tasksim import FILE --ledger ADDRESS --force`, and start the server again.',
    )
  const saved = await readRows(rows)
  checkFiles(sim, rows, saved)
  await checkState(sim, rows, saved)
  const restore = await prepareSpaces(sim, saved, 'paused')
  await sim.reset()
  sim.sandboxes.clear()
  // The reset has added a journal entry.
  sim.journal.clear()
  restore()
}

/**
 * Reads the rows of a file.
 * @throws UsageError with the first line that is not a row of its kind
 */
export async function readRows(rows: readonly StateRow[]): Promise<SavedState> {
  checkPlaces(rows)
  try {
    return await SavedState.read([rows])
  } catch (error) {
    throw withLine(rows, error)
  }
}

/**
 * Checks rows by restoring another simulator from them.
 * @param like a simulator with the same seed and dialects
 * @throws UsageError with the line of a row that cannot be used; LedgerError if the state has another seed
 */
export async function checkState(
  like: Simulator,
  rows: readonly StateRow[],
  saved: SavedState,
): Promise<void> {
  const { seed, dialects, parts } = like
  // It sends nothing: the receivers get the webhooks of the simulator that continues.
  const settings = { seed, clock: 'manual', transport: () => new Promise<never>(() => {}) } as const
  const trial = new Simulator(parts.active.initial, settings, undefined, {
    // What the rows add must not stay if they are rejected.
    dialects: new Dialects(dialects.names.flatMap((name) => dialects.own(name) ?? [])),
  })
  try {
    await restoreSpaces(trial, saved, 'paused')
    checkSpaces(rows, new Set(trial.sandboxes.list().map(({ identity }) => identity.id)))
  } catch (error) {
    throw withLine(rows, error)
  } finally {
    trial.close()
  }
}

/**
 * Rejects rows that publish files of this machine, except those that the scenario of the server publishes: a client of the
 * control API cannot name files.
 */
function checkFiles({ parts: { active } }: Simulator, rows: readonly StateRow[], saved: SavedState): void {
  const published = new Set([active.initial, active.current].flatMap(({ layer }) => filesIn(layer)))
  const check = (files: readonly string[]) => {
    const other = files.find((file) => !published.has(file))
    if (other === undefined) return
    const reason = `\`files\` must be files that the scenario of the server names, got ${JSON.stringify(other)}`
    throw withLine(rows, saved.explain(new Error(reason)))
  }
  for (const space of saved.spaces) {
    for (const { value } of saved.rows(space, 'task')) check(value.plan.files ?? [])
    for (const { value } of saved.rows(space, 'scenario'))
      if (typeof value !== 'number') check(filesIn(value.layer))
  }
}

/** Adds the line to the error of a row. */
function withLine(rows: readonly StateRow[], error: unknown): unknown {
  if (!(error instanceof RowError)) return error
  const { address, reason, cause } = error
  const line = rows.find((row) => keyOf(row) === keyOf(address))?.line
  return new UsageError(
    `Line ${line} of the state, of the kind ${JSON.stringify(address.kind)}, cannot be used: ${reason}. Correct the line, or export the state again.`,
    { cause },
  )
}

/** Rejects rows that no part of the state would restore, or that two lines have. */
function checkPlaces(rows: readonly StateRow[]): void {
  const lines = new Map<string, number>()
  for (const row of rows) {
    const { line, kind } = row
    const first = lines.get(keyOf(row))
    if (first !== undefined)
      throw new UsageError(`Line ${line} of the state has the same row as line ${first}. Delete one of them.`)
    lines.set(keyOf(row), line)
    if (!isRowKind(kind))
      throw new UsageError(
        `Line ${line} of the state has the unknown kind ${JSON.stringify(kind.slice(0, 100))}. Expected ${ROW_KINDS.join(', ')}.`,
      )
  }
}

/** Rejects rows of sandboxes that the state does not have. */
function checkSpaces(rows: readonly StateRow[], sandboxes: ReadonlySet<string>): void {
  for (const { line, kind, space } of rows) {
    if (space === '') continue
    if (!sandboxes.has(space))
      throw new UsageError(
        `Line ${line} of the state belongs to the sandbox ${JSON.stringify(space.slice(0, 100))}, which the state does not have. Export the state again.`,
      )
    if (kind === 'sandbox')
      throw new UsageError(`Line ${line} of the state is a sandbox of a sandbox. Export the state again.`)
  }
}
