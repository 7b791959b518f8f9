import type { Account, MemoryBudget } from '../memory/budget.js'
import { bytesOfDelivery } from '../memory/bytes-of.js'
import type { Delivery, DeliveryState } from './delivery.js'
import { maskUrl } from './mask-url.js'

/** Which deliveries to list. */
export interface DeliveryQuery {
  /** The task that they tell of. */
  readonly taskId?: string | undefined
  /** The receiver's URL, whole or with its secrets masked. */
  readonly url?: string | undefined
  /** Where they stand. */
  readonly state?: DeliveryState | undefined
  /** The id of the last one of the page before. */
  readonly after?: string | undefined
  /** How many at most. */
  readonly limit: number
}

/** A page of deliveries. */
interface DeliveryList {
  /** The newest first. */
  readonly deliveries: Delivery[]
  /** Whether older ones follow. */
  readonly hasMore: boolean
}

/** How many ended deliveries are kept at the most, and with how many bytes. */
const MOST_ENDED = 5_000
const MOST_BYTES = 32 * 1024 * 1024

/** Keeps all pending deliveries and the latest of those that have ended, and counts all. */
export class DeliveryLog {
  readonly #pending = new Map<string, Delivery>()
  /** In the order in which they ended. */
  readonly #ended = new Map<string, Delivery>()
  readonly #bytesPending: Account
  readonly #bytesEnded: Account
  /** How many deliveries of a task are pending, by its id. */
  readonly #pendingOfTask = new Map<string, number>()
  #opened = 0
  #counts: Record<DeliveryState, number> = { pending: 0, delivered: 0, given_up: 0, lost: 0 }

  constructor(budget: MemoryBudget) {
    this.#bytesPending = budget.open('pending_deliveries')
    this.#bytesEnded = budget.open('ended_deliveries', () => this.#evict())
  }

  /** How many there are in each state, those included that are not remembered any more. */
  get counts(): Readonly<Record<DeliveryState, number>> {
    return this.#counts
  }

  /** Those that have come to no end, the oldest first. */
  pending(): Iterable<Delivery> {
    return this.#pending.values()
  }

  /** A name for the next delivery. */
  nextId(): string {
    this.#opened += 1
    return `dlv_${this.#opened.toString(36).padStart(8, '0')}`
  }

  /**
   * Records a new delivery, or a change of one that is pending.
   * @param before the state that it was in, unless it is new
   */
  put(delivery: Delivery, before?: DeliveryState): void {
    if (before !== delivery.state) {
      if (before !== undefined) this.#count(delivery, before, -1)
      this.#count(delivery, delivery.state, 1)
    }
    const known = this.#pending.get(delivery.id)
    // A reset has forgotten it.
    if (before !== undefined && known === undefined) return
    if (known !== undefined) this.#bytesPending.add(-bytesOfDelivery(known))
    if (delivery.state === 'pending') {
      this.#pending.set(delivery.id, delivery)
      this.#bytesPending.add(bytesOfDelivery(delivery))
      return
    }
    this.#pending.delete(delivery.id)
    this.#ended.set(delivery.id, delivery)
    this.#bytesEnded.add(bytesOfDelivery(delivery))
    while (this.#ended.size > MOST_ENDED || this.#bytesEnded.bytes > MOST_BYTES) this.#evict()
  }

  /** Whether a delivery of a task has come to no end yet. */
  isPending(taskId: string): boolean {
    return this.#pendingOfTask.has(taskId)
  }

  /** The delivery of this id, where it is still remembered. */
  get(id: string): Delivery | undefined {
    return this.#pending.get(id) ?? this.#ended.get(id)
  }

  /**
   * A page of them, newest first.
   * @returns undefined where `after` is none of those that are remembered
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

  /** Forgets all of them. */
  clear(): void {
    this.#pending.clear()
    this.#ended.clear()
    this.#bytesPending.clear()
    this.#bytesEnded.clear()
    this.#pendingOfTask.clear()
    this.#opened = 0
    this.#counts = { pending: 0, delivered: 0, given_up: 0, lost: 0 }
  }

  /** Forgets all of them, and gives its accounts up. */
  close(): void {
    this.clear()
    this.#bytesPending.close()
    this.#bytesEnded.close()
  }

  /** Ids are given in the order of creation, which is that of the pending ones. */
  *#newestFirst(): Generator<Delivery> {
    const pending = [...this.#pending.values()]
    const ended = [...this.#ended.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
    for (;;) {
      const isPending = (pending.at(-1)?.id ?? '') > (ended.at(-1)?.id ?? '')
      const next = (isPending ? pending : ended).pop()
      if (next === undefined) return
      yield next
    }
  }

  #evict(): boolean {
    for (const [id, delivery] of this.#ended) {
      this.#ended.delete(id)
      this.#bytesEnded.add(-bytesOfDelivery(delivery))
      return true
    }
    return false
  }

  #count({ taskId }: Delivery, state: DeliveryState, change: 1 | -1): void {
    this.#counts[state] += change
    if (state !== 'pending') return
    const pending = (this.#pendingOfTask.get(taskId) ?? 0) + change
    if (pending > 0) this.#pendingOfTask.set(taskId, pending)
    else this.#pendingOfTask.delete(taskId)
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
