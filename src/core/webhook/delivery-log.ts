import type { Delivery, DeliveryState } from './delivery.js'

/** Which deliveries to list. */
export interface DeliveryQuery {
  /** The task that they tell of. */
  readonly taskId?: string | undefined
  /** The receiver's URL. */
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

// With bodies and answers, some ten megabytes.
const MOST_KEPT = 5_000

/** Remembers the deliveries of late, and counts all. */
export class DeliveryLog {
  readonly #kept = new Map<string, Delivery>()
  /** How many deliveries of a task have come to no end, by its id. */
  readonly #pending = new Map<string, number>()
  #opened = 0
  #counts: Record<DeliveryState, number> = { pending: 0, delivered: 0, given_up: 0, lost: 0 }

  /** How many there are in each state, those included that are not remembered any more. */
  get counts(): Readonly<Record<DeliveryState, number>> {
    return this.#counts
  }

  /** A name for the next delivery. */
  nextId(): string {
    this.#opened += 1
    return `dlv_${this.#opened.toString(36).padStart(8, '0')}`
  }

  /**
   * Takes a new delivery down, or what has become of one.
   * @param before the state that it was in, where it is not new
   */
  put(delivery: Delivery, before?: DeliveryState): void {
    if (before !== delivery.state) {
      if (before !== undefined) this.#count(delivery, before, -1)
      this.#count(delivery, delivery.state, 1)
    }
    if (before !== undefined && !this.#kept.has(delivery.id)) return
    this.#kept.set(delivery.id, delivery)
    if (this.#kept.size <= MOST_KEPT) return
    const [oldest = ''] = this.#kept.keys()
    this.#kept.delete(oldest)
  }

  /** Whether a delivery of a task has come to no end yet. */
  isPending(taskId: string): boolean {
    return this.#pending.has(taskId)
  }

  /** The delivery of this id, where it is still remembered. */
  get(id: string): Delivery | undefined {
    return this.#kept.get(id)
  }

  /**
   * A page of them, newest first.
   * @returns undefined where `after` is none of those that are remembered
   */
  list({ limit, after, ...wanted }: DeliveryQuery): DeliveryList | undefined {
    if (after !== undefined && !this.#kept.has(after)) return undefined
    const all = [...this.#kept.values()].reverse()
    const rest = after === undefined ? all : all.slice(all.findIndex(({ id }) => id === after) + 1)
    const matching = rest.filter(
      ({ taskId, url, state }) =>
        (wanted.taskId ?? taskId) === taskId &&
        (wanted.url ?? url) === url &&
        (wanted.state ?? state) === state,
    )
    return { deliveries: matching.slice(0, limit), hasMore: matching.length > limit }
  }

  /** Forgets all of them. */
  clear(): void {
    this.#kept.clear()
    this.#pending.clear()
    this.#opened = 0
    this.#counts = { pending: 0, delivered: 0, given_up: 0, lost: 0 }
  }

  #count({ taskId }: Delivery, state: DeliveryState, change: 1 | -1): void {
    this.#counts[state] += change
    if (state !== 'pending') return
    const pending = (this.#pending.get(taskId) ?? 0) + change
    if (pending > 0) this.#pending.set(taskId, pending)
    else this.#pending.delete(taskId)
  }
}
