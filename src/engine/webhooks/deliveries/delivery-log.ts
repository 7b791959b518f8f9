import type { Events } from '../../events.js'
import { maskUrl } from '../../mask.js'
import type { Account, MemoryBudget } from '../../memory/budget.js'
import { bytesOfDelivery } from '../../memory/bytes-of.js'
import { EvictionQueue } from '../../memory/caches.js'
import { prefixIn } from '../../partition.js'
import type { Delivery, DeliveryState } from './delivery.js'

/** Which deliveries to list. */
export interface DeliveryQuery {
  /** The task of the event. */
  readonly taskId?: string | undefined
  /** The receiver's URL, whole or with its secrets masked. */
  readonly url?: string | undefined
  /** The state of the delivery. */
  readonly state?: DeliveryState | undefined
  /** The id of the last delivery of the previous page. */
  readonly after?: string | undefined
  /** The maximum number of deliveries to return. */
  readonly limit: number
}

/** A page of deliveries. */
interface DeliveryList {
  /** The newest first. */
  readonly deliveries: Delivery[]
  /** Whether older deliveries follow. */
  readonly hasMore: boolean
}

/** What a log counts. */
interface DeliveryTally {
  readonly opened: number
  readonly counts: Record<DeliveryState, number>
}

const NONE: readonly never[] = []

/** The maximum number of ended deliveries to keep, and of their bytes. */
const MAX_ENDED = 5_000
const MAX_BYTES = 32 * 1024 * 1024

/** Keeps all pending deliveries and the last ended ones, and counts all deliveries. */
export class DeliveryLog {
  readonly #prefix: string
  readonly #events: Events
  /** All deliveries, by id. */
  readonly #deliveries = new Map<string, Delivery>()
  readonly #ended = new EvictionQueue()
  readonly #bytesPending: Account
  readonly #bytesEnded: Account
  #opened = 0
  #counts: Record<DeliveryState, number> = { pending: 0, delivered: 0, given_up: 0, lost: 0 }

  /** The budget limits the bytes that the log retains. The partition of the server is part of the ids. */
  constructor({
    budget,
    events,
    partition,
  }: {
    budget: MemoryBudget
    events: Events
    partition: string | undefined
  }) {
    this.#events = events
    this.#prefix = prefixIn(partition, 'dlv_')
    this.#bytesPending = budget.open('pending_deliveries')
    this.#bytesEnded = budget.open('ended_deliveries', () => this.#evict())
  }

  /** How many deliveries are in each state, including those that the log no longer keeps. */
  get counts(): Readonly<Record<DeliveryState, number>> {
    return this.#counts
  }

  /** How many deliveries were opened, and how many are in each state. */
  get tally(): DeliveryTally {
    return { opened: this.#opened, counts: this.#counts }
  }

  /** Restores the counts of a log that was saved, after its deliveries. */
  set tally({ opened, counts }: DeliveryTally) {
    this.#opened = opened
    this.#counts = counts
  }

  /** The ended deliveries that it keeps, the one that ended first at the start. */
  *ended(): Iterable<Delivery> {
    for (const id of this.#ended.ids()) yield this.#deliveries.get(id) as Delivery
  }

  /** The pending deliveries, the oldest first. */
  *pending(): Iterable<Delivery> {
    for (const delivery of this.#deliveries.values()) if (delivery.state === 'pending') yield delivery
  }

  /** Records a new delivery and gives it an id. */
  open(details: Omit<Delivery, 'id' | 'nextAt' | 'attempts'>): Delivery {
    this.#opened += 1
    const id = `${this.#prefix}${this.#opened.toString(36).padStart(8, '0')}`
    const delivery: Delivery = { id, ...details, nextAt: undefined, attempts: NONE }
    this.put(delivery)
    return delivery
  }

  /**
   * Records a change of a pending delivery.
   * @param before the state before the change; undefined if the delivery is new
   */
  put(delivery: Delivery, before?: DeliveryState): void {
    const { id, state } = delivery
    const known = this.#deliveries.get(id)
    // After a reset, the log no longer contains the delivery.
    if (before !== undefined && known === undefined) return
    if (before !== state) {
      if (before !== undefined) this.#counts[before] -= 1
      this.#counts[state] += 1
    }
    if (known !== undefined) this.#bytesPending.add(-bytesOfDelivery(known))
    this.#deliveries.set(id, delivery)
    const bytes = bytesOfDelivery(delivery)
    if (state === 'pending') {
      this.#bytesPending.add(bytes)
      return
    }
    this.#ended.add({ id, bytes })
    this.#bytesEnded.add(bytes)
    while (this.#ended.size > MAX_ENDED || this.#bytesEnded.bytes > MAX_BYTES) this.#evict()
  }

  /** The delivery with this id; undefined if the log does not keep it. */
  get(id: string): Delivery | undefined {
    return this.#deliveries.get(id)
  }

  /**
   * A page of deliveries, newest first.
   * @returns undefined if the log does not keep the delivery `after`
   */
  list({ limit, after, ...wanted }: DeliveryQuery): DeliveryList | undefined {
    if (after !== undefined && this.get(after) === undefined) return undefined
    const deliveries: Delivery[] = []
    for (const delivery of this.#newestFirst()) {
      if (after !== undefined && delivery.id >= after) continue
      if (!isWanted(delivery, wanted)) continue
      if (deliveries.length === limit) return { deliveries, hasMore: true }
      deliveries.push(delivery)
    }
    return { deliveries, hasMore: false }
  }

  /** Forgets all deliveries. */
  clear(): void {
    this.#deliveries.clear()
    this.#ended.clear()
    this.#bytesPending.clear()
    this.#bytesEnded.clear()
    this.#opened = 0
    this.#counts = { pending: 0, delivered: 0, given_up: 0, lost: 0 }
  }

  /** Forgets all deliveries and closes the accounts of their bytes. */
  close(): void {
    this.clear()
    this.#bytesPending.close()
    this.#bytesEnded.close()
  }

  /** Ids increase in the order of creation. */
  #newestFirst(): Delivery[] {
    return [...this.#deliveries.values()].sort((a, b) => (a.id > b.id ? -1 : 1))
  }

  #evict(): boolean {
    const oldest = this.#ended.takeOldest()
    if (oldest === undefined) return false
    const delivery = this.#deliveries.get(oldest.id) as Delivery
    this.#deliveries.delete(oldest.id)
    this.#bytesEnded.add(-oldest.bytes)
    this.#events.emit('delivery.forgotten', delivery)
    return true
  }
}

function isWanted(
  { taskId, url, state }: Delivery,
  wanted: Pick<DeliveryQuery, 'taskId' | 'url' | 'state'>,
): boolean {
  return (
    (wanted.taskId ?? taskId) === taskId &&
    (wanted.state ?? state) === state &&
    (wanted.url === undefined || wanted.url === url || wanted.url === maskUrl(url))
  )
}
