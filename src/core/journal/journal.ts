import type { Events } from '../events.js'
import type { Delivery } from '../webhook/delivery.js'

/** What is written down of one thing that happened; times are epoch milliseconds. */
export type Entry = { readonly at: number; readonly number: number } & (
  | {
      readonly type: 'request'
      readonly requestId: string
      readonly method: string
      readonly path: string
      readonly key: string
      readonly status: number
      readonly taskId: string | undefined
      /** The rule whose fault befell it. */
      readonly rule: string | undefined
    }
  | {
      readonly type: 'task'
      readonly taskId: string
      readonly status: string
      /** The rule that decided about the task. */
      readonly rule: string | undefined
    }
  | {
      readonly type: 'delivery'
      readonly taskId: string
      readonly deliveryId: string
      readonly event: string
      readonly url: string
      readonly state: Delivery['state']
      /** The attempt's number; undefined where nothing was sent. */
      readonly attempt: number | undefined
      readonly status: number | undefined
      /** The rule whose mischief was done. */
      readonly rule: string | undefined
    }
  | { readonly type: 'receiver'; readonly url: string; readonly off: string }
)

type Fields = Entry extends infer One ? (One extends Entry ? Omit<One, 'number'> : never) : never

/** Which entries to list. */
export interface JournalQuery {
  readonly type?: Entry['type'] | undefined
  readonly taskId?: string | undefined
  /** The number of the last one of the page before. */
  readonly before?: number | undefined
  readonly limit: number
}

const MOST_KEPT = 10_000

/** The bounded record of what happened: requests, states of tasks, deliveries. */
export class Journal {
  /** A ring: the entry with a number stands at its remainder. */
  #kept: Entry[] = []
  #written = 0

  /** @param now the simulator's clock, in epoch milliseconds */
  constructor(events: Events, now: () => number) {
    const write = (fields: Fields) => this.#write(fields)
    events.on('request.answered', ({ id, at, method, path, key, status, taskId, fault }) =>
      write({ type: 'request', at, requestId: id, method, path, key, status, taskId, rule: fault }),
    )
    events.on('task.created', ({ id, createdAt, status, plan: { rule } }) =>
      write({ type: 'task', at: createdAt, taskId: id, status, rule }),
    )
    events.on('task.started', ({ id, status, plan: { rule } }, at) =>
      write({ type: 'task', at, taskId: id, status, rule }),
    )
    events.on('task.finished', ({ id, status, plan: { rule } }, at) =>
      write({ type: 'task', at, taskId: id, status, rule }),
    )
    events.on('delivery.opened', (delivery) => {
      if (delivery.state !== 'lost') return
      write({ at: delivery.createdAt, ...deliveryFields(delivery), attempt: undefined, status: undefined })
    })
    events.on('delivery.attempted', (delivery, { startedAt, number, status }) =>
      write({ at: startedAt, ...deliveryFields(delivery), attempt: number, status }),
    )
    events.on('receiver.switched_off', ({ url, off = '' }) =>
      write({ type: 'receiver', at: now(), url, off }),
    )
  }

  /** How many entries were written, those included that are not kept any more. */
  get written(): number {
    return this.#written
  }

  /** A page of entries, newest first. */
  list({ type, taskId, before = Infinity, limit }: JournalQuery): { entries: Entry[]; hasMore: boolean } {
    const entries: Entry[] = []
    const oldest = Math.max(1, this.#written - MOST_KEPT + 1)
    for (let number = Math.min(before - 1, this.#written); number >= oldest; number--) {
      const entry = this.#kept[number % MOST_KEPT]
      if (entry === undefined || (type !== undefined && entry.type !== type)) continue
      if (taskId !== undefined && !('taskId' in entry && entry.taskId === taskId)) continue
      if (entries.length === limit) return { entries, hasMore: true }
      entries.push(entry)
    }
    return { entries, hasMore: false }
  }

  clear(): void {
    this.#kept = []
    this.#written = 0
  }

  #write(fields: Fields): void {
    this.#written += 1
    this.#kept[this.#written % MOST_KEPT] = { ...fields, number: this.#written } as Entry
  }
}

function deliveryFields({ id, taskId, event, url, state, rule }: Delivery) {
  return { type: 'delivery' as const, deliveryId: id, taskId, event, url, state, rule }
}
