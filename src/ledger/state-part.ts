import type { Awaitable } from '../engine/awaitable.js'
import type { Row } from './ledger.js'
import type { RowKind, RowValue } from './rows/check-row.js'

/** The content of a row. */
export interface RowContent {
  /** Plain data, which is stored as JSON. */
  readonly value: unknown
  /** Further content that is not text. */
  readonly bytes?: Uint8Array<ArrayBuffer> | undefined
}

/** A row that was read from a ledger or a file. */
export interface SavedRow<Value = RowValue<RowKind>> extends Pick<Row, 'seq' | 'bytes'> {
  /** {@link RowContent.value} after a round trip through JSON: undefined fields are missing. Its schema has accepted it. */
  readonly value: Value
}

/** One part of the state of a simulator, as rows with numbers. */
export interface StatePart<Kind extends RowKind = RowKind> {
  /** The kind of its rows. */
  readonly kind: Kind
  /** Whether responses and webhooks do not wait until its changes are stored. */
  readonly isLazy?: boolean
  /** Whether every commit contains all its rows, because no event reports its changes. */
  readonly isInEveryCommit?: boolean
  /**
   * Whether its rows mean nothing before a row of another part is stored. If they have too many bytes for one commit,
   * some of them are stored in commits of their own, before all other changes.
   */
  readonly mayComeFirst?: boolean
  /**
   * Reports changes.
   * @param changed called with the number of each row that is new, changed or deleted
   */
  watch(changed: (seq: number) => void): void
  /** The numbers of all current rows. */
  numbers(): Iterable<number>
  /** The current content of a row; undefined if the row was deleted. */
  write(seq: number): RowContent | undefined
  /** Loads the code that {@link restore} needs. */
  prepare?(rows: readonly SavedRow<RowValue<Kind>>[]): Awaitable<void>
  /**
   * Restores the rows, in ascending order of their numbers. Called once, before {@link watch}, in a simulator without
   * state, even if there are no rows. It is synchronous, so nothing becomes due meanwhile.
   * @throws any error if the row whose value it read last cannot be used
   */
  restore(rows: readonly SavedRow<RowValue<Kind>>[]): void
  /** Completes the restoration after all parts have been restored. */
  complete?(): void
}
