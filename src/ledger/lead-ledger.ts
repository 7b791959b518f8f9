import type { Epoch, Ledger, Row } from './ledger.js'
import { keyOf } from './ledger.js'
import { LedgerError } from './ledger-error.js'
import { type LedgerOptions, openLedger, shownAddress } from './open-ledger.js'
import { SavedState } from './saved-state.js'

/** A ledger that this process leads, with the state in it. */
export interface LedLedger {
  readonly ledger: Ledger
  readonly epoch: Epoch
  /** Its address without secrets. */
  readonly shown: string
  /** Whether another process led it when this one started. */
  readonly isTakeover: boolean
  /** Its rows. */
  readonly saved: SavedState
}

/**
 * Opens and leads a ledger, and reads it.
 * @throws LedgerError if it cannot be used, or another process leads it
 */
export async function leadLedger(options: LedgerOptions): Promise<LedLedger> {
  const led = await leadOr(options, async (_, shown) => {
    throw new LedgerError(
      `Another process uses the ledger ${shown}. Stop that process, or give each of them a ledger of its own.`,
    )
  })
  if (led === undefined) throw new LedgerError('The ledger is closed.')
  return led
}

/** The leadership of this process, with the rows of the ledger if it has already read them. */
export interface Lead {
  readonly epoch: Epoch
  readonly saved?: SavedState | undefined
}

/** Waits until this process leads a ledger that another process leads. It returns undefined to give up. */
export type StandBy = (ledger: Ledger, shown: string) => Promise<Lead | undefined>

/**
 * Opens a ledger, leads it at once or after a wait, and reads it.
 * @returns undefined if the wait was given up
 * @throws LedgerError if it cannot be used
 */
export async function leadOr(options: LedgerOptions, standBy: StandBy): Promise<LedLedger | undefined> {
  const { address, reset = false } = options
  const shown = shownAddress(address)
  const ledger = await openLedger(address, options)
  try {
    const first = await ledger.lead()
    const lead = first === undefined ? await standBy(ledger, shown) : { epoch: first }
    if (lead === undefined) {
      await ledger.close()
      return undefined
    }
    const isTakeover = first === undefined
    const { epoch, saved } = lead
    // A standby that takes over continues from the state of the last leader.
    if (reset && !isTakeover) await replaceRows({ ledger, epoch, shown }, [])
    return { ledger, epoch, shown, isTakeover, saved: saved ?? (await SavedState.read(ledger.load())) }
  } catch (error) {
    await ledger.close()
    throw error
  }
}

/**
 * Replaces all rows of a ledger in one commit.
 * @throws LedgerError if they cannot be stored
 */
export async function replaceRows(
  { ledger, epoch, shown }: Pick<LedLedger, 'ledger' | 'epoch' | 'shown'>,
  rows: readonly Row[],
): Promise<void> {
  const kept = new Set(rows.map(keyOf))
  const gone: Row[] = []
  for await (const found of ledger.load())
    for (const row of found)
      if (!kept.has(keyOf(row))) gone.push({ ...row, json: undefined, bytes: undefined })
  if (await ledger.commit(epoch, [...gone, ...rows])) return
  throw new LedgerError(
    `Another process has taken over the ledger ${shown}. Nothing was changed. Stop that process, and try again.`,
  )
}
