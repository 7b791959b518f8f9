import type { Awaitable } from '../engine/awaitable.js'

/** A piece of the state of a simulator. */
export interface Row {
  /** The id of the sandbox; empty for the simulator itself. */
  readonly space: string
  /** The part of the state, such as `task`. */
  readonly kind: string
  /** Identifies the row among those of its space and kind: a whole number from 0 to 2^53 - 1. */
  readonly seq: number
  /** The content as JSON; undefined if the row was deleted. */
  readonly json: string | undefined
  /** Further content that is not text, such as an uploaded file. */
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined
}

/** Rows, in batches of any size. */
export type RowBatches = AsyncIterable<Iterable<Row>> | Iterable<Iterable<Row>>

/** Identifies one leadership. A later one has a larger number. */
export type Epoch = number

/** What a standby observes of a ledger that another process leads. */
export interface LedgerObservation {
  /** Changes with each commit. */
  readonly commit: number
  /** Whether the leader should have renewed its lease by now. */
  readonly isLate: boolean
}

/** Stores the state of a simulator outside its process. Only one process at a time leads a ledger. */
export interface Ledger {
  /**
   * Becomes the leader.
   * @returns undefined while another process leads
   */
  lead(): Awaitable<Epoch | undefined>
  /**
   * Reads all rows, in batches: waiting for each row would take longer than reading it. Rows of one space and kind come in
   * ascending order of `seq`.
   * @throws LedgerError if the rows cannot be read, or belong to an unknown version
   */
  load(): RowBatches
  /**
   * Stores rows, all of them or none. A row replaces the one with the same space, kind and number.
   * @returns false if another process has become the leader
   * @throws LedgerError if the rows cannot be stored
   */
  commit(epoch: Epoch, rows: readonly Row[]): Awaitable<boolean>
  /** Whether this process certainly still leads, so that it may send responses and webhooks. Called before each of them. */
  isLeading(epoch: Epoch): boolean
  /** Observes the leader. Only ledgers that support standbys have this method. */
  observe?(): Promise<LedgerObservation>
  /** Gives up the leadership and closes the ledger. */
  close(): Awaitable<void>
}

/** Identifies a row of a state. */
export type RowAddress = Pick<Row, 'space' | 'kind' | 'seq'>

/** The address of a row as a key for maps and sets. */
export function keyOf({ space, kind, seq }: RowAddress): string {
  return JSON.stringify([space, kind, seq])
}

/**
 * The version of the rows in state files and ledgers. A change that makes earlier rows invalid increases it.
 * 1: tasksim 0.1. 2: requests have the real time, and the bytes of uploads are rows of their own.
 */
export const ROWS_VERSION = 2

/**
 * Says that rows have another version, and what to do.
 * @param shown the version as it was found
 * @param anew how to begin with a new state
 */
export function otherVersion(what: string, shown: string, anew: string): string {
  const isEarlier = Number(shown) < ROWS_VERSION
  const remedy = isEarlier
    ? `An earlier tasksim wrote it. Continue with that tasksim, or ${anew}.`
    : 'Install the latest version: npm install tasksim@latest'
  return `${what} has version ${shown}, but this tasksim reads version ${ROWS_VERSION}. ${remedy}`
}
