import { startTimer, stopwatch } from '../engine/clock/system-clock.js'
import type { Simulator } from '../simulator/simulator.js'
import type { LedLedger } from './lead-ledger.js'
import type { Epoch, Ledger } from './ledger.js'
import { LedgerError } from './ledger-error.js'
import { LedgerWriter, type LedgerWriterOptions } from './ledger-writer.js'
import type { Resumption } from './parts/meta.js'
import { SavedState } from './saved-state.js'
import { restoreSpaces, type Space, sandboxSpace } from './spaces.js'

/** How a simulator is attached to its ledger. */
export interface AttachOptions {
  /** Whether the clock has paused since the state was stored. */
  readonly pause?: boolean
  /** Changes the restored simulator before anything is stored. */
  readonly adjust?: () => void
  /** Called once when another process has become the leader. The simulator sends no more responses or webhooks. */
  readonly onDeposed: () => void
}

/** A simulator with a ledger that stores its state. */
export interface Attached {
  /** The address of the ledger, without secrets. */
  readonly shown: string
  /** The number of tasks that were restored; undefined if the ledger was empty. */
  readonly restored: number | undefined
  /** How long the restoration took, in milliseconds. */
  readonly took: number
  /** Stores everything and closes the ledger. The simulator sends no more responses or webhooks. */
  close(): Promise<void>
}

/**
 * Restores a new simulator from a ledger, and stores its later changes there. If this function throws, it closes the
 * ledger.
 * @throws LedgerError if the state has another seed or cannot be read
 */
export async function attach(
  sim: Simulator,
  led: LedLedger,
  { pause = false, adjust, onDeposed }: AttachOptions,
): Promise<Attached> {
  const { ledger, epoch, shown, saved } = led
  const begin = stopwatch()
  try {
    const writer = await persist(sim, ledger, epoch, {
      saved,
      defer: (run) => void setImmediate(run),
      onDeposed,
      resumption: pause ? 'paused' : 'as-if-running',
    })
    adjust?.()
    await storeFirst(sim, writer, shown)
    const stopWatching = watchLead(led, writer)
    return {
      shown,
      restored: saved.isEmpty ? undefined : saved.count('task'),
      took: stopwatch() - begin,
      async close() {
        stopWatching()
        await writer.close()
        await ledger.close()
      },
    }
  } catch (error) {
    await ledger.close()
    throw error
  }
}

/** The time between two checks of the leadership, in milliseconds. */
const CHECK = 500

/**
 * Commits while it is not certain that this process leads, so that even a server without requests notices another leader.
 * @returns a function that stops the checks
 */
function watchLead({ ledger, epoch }: LedLedger, writer: LedgerWriter): () => void {
  let stop = () => {}
  const check = () => {
    if (!ledger.isLeading(epoch)) writer.rows.touch()
    stop = startTimer(CHECK, check)
  }
  stop = startTimer(CHECK, check)
  return () => stop()
}

/** Stores the initial state, so that a ledger that cannot be written causes an error before the first response. */
async function storeFirst(sim: Simulator, writer: LedgerWriter, shown: string): Promise<void> {
  let failure: unknown
  const unlisten = sim.on('error', (error) => {
    failure ??= error
  })
  writer.rows.touch()
  const isStored = await writer.flush()
  unlisten()
  if (!isStored)
    throw (
      failure ??
      new LedgerError(
        `Another process has taken over the ledger ${shown}. Stop that process, or give each of them a ledger of its own.`,
      )
    )
}

/** How {@link persist} stores the state of a simulator. */
interface PersistOptions extends Pick<LedgerWriterOptions, 'defer' | 'onDeposed'> {
  /** How the clock continues. */
  readonly resumption?: Resumption
  /** The rows of the ledger, if they have already been read. */
  readonly saved?: SavedState
}

/**
 * Restores a new simulator from its ledger, and stores its later changes there.
 * @param epoch the leadership under which it stores them
 * @throws LedgerError if the ledger cannot be read
 */
export async function persist(
  sim: Simulator,
  ledger: Ledger,
  epoch: Epoch,
  { defer, onDeposed, resumption, saved: read }: PersistOptions,
): Promise<LedgerWriter> {
  const saved = read ?? (await SavedState.read(ledger.load()))
  const writer = new LedgerWriter(ledger, epoch, {
    defer,
    onDeposed,
    onError: (error) => sim.events.emit('error', error),
    wait: startTimer,
  })
  await restoreSpaces(sim, saved, resumption ?? 'as-if-running', (space) =>
    persistSpace(writer, space, saved.isEmpty),
  )
  sim.events.on('sandbox.created', (id) => {
    const sandbox = sim.sandboxes.get(id)
    if (sandbox !== undefined) persistSpace(writer, sandboxSpace(sandbox), true)
  })
  sim.events.on('sandbox.deleted', (id) => writer.rows.remove(id))
  return writer
}

/** Stores the changes of one simulator. @param isNew whether the ledger does not have its rows yet */
function persistSpace(writer: LedgerWriter, { id, sim, parts }: Space, isNew: boolean): void {
  sim.events.on('reset.begins', () => writer.rows.markAll(id))
  sim.events.on('control.used', () => writer.rows.touch(id))
  writer.rows.add(id, parts, isNew)
  sim.gate.writer = writer
}
