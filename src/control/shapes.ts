/** The JSON of the control API; instants are ISO 8601, UTC. */

export type * from './shapes.generated.js'

import type { DeliveryShape } from './shapes.generated.js'

/** A page of a list. */
export interface Page<Item> {
  /** The items, newest first. */
  readonly data: readonly Item[]
  /** Whether older items follow. */
  readonly has_more: boolean
  /** Pass it as `after` to get the next page; null on the last page. */
  readonly next_cursor: string | null
}

/** A page of deliveries. */
export interface DeliveryPage<Item = DeliveryShape> extends Page<Item> {
  /** The number of deliveries by state, including evicted deliveries. */
  readonly counts: Readonly<Record<string, number>>
}
