import type { Events } from '../../engine/events.js'
import { newStatusCounts, type Status } from '../../engine/tasks/task.js'
import { isControl } from './journal.js'

/** The upper bounds of the histogram of durations, in seconds. */
export const DURATION_BOUNDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]

/** Counts all events, including those that the journal has evicted. */
export class EventCounters {
  /** Tasks by current status. */
  readonly tasks: Record<Status, number> = newStatusCounts()
  /** Answered requests by operation (`none` for an unknown path), and then by status. */
  readonly requests = new Map<string, Map<number, number>>()
  /** Those of {@link requests} whose answer did not reach the client as a whole. */
  readonly undelivered = new Map<string, Map<number, number>>()
  /** Requests with a fault, by rule. */
  readonly faults = new Map<string, number>()
  /** The real time from request to answer. */
  readonly durations = new DurationHistogram(DURATION_BOUNDS)
  /** Webhook attempts. */
  attempts = 0
  /** The cost of the succeeded tasks, in micro-dollars. */
  spent = 0

  constructor(events: Events) {
    events.on('task.created', ({ status }) => {
      this.tasks[status] += 1
    })
    events.on('task.started', ({ status }) => this.#changeStatus('queued', status))
    events.on('task.finished', ({ status, startedAt, cost = 0 }) => {
      this.#changeStatus(startedAt === undefined ? 'queued' : 'processing', status)
      this.spent += cost
    })
    events.on('delivery.attempted', () => {
      this.attempts += 1
    })
    events.on('request.answered', (request) => {
      if (isControl(request)) return
      const { operation = 'none', status, delivered, fault, took } = request
      countAnswer(this.requests, operation, status)
      if (!delivered) countAnswer(this.undelivered, operation, status)
      if (fault !== undefined) count(this.faults, fault)
      this.durations.add(took / 1_000)
    })
  }

  /** The number of created tasks. */
  get created(): number {
    return Object.values(this.tasks).reduce((sum, number) => sum + number, 0)
  }

  clear(): void {
    Object.assign(this.tasks, newStatusCounts())
    this.requests.clear()
    this.undelivered.clear()
    this.faults.clear()
    this.durations.clear()
    this.attempts = 0
    this.spent = 0
  }

  #changeStatus(from: Status, to: Status): void {
    this.tasks[from] -= 1
    this.tasks[to] += 1
  }
}

function countAnswer(counts: Map<string, Map<number, number>>, operation: string, status: number): void {
  const statuses = counts.get(operation)
  if (statuses === undefined) counts.set(operation, new Map([[status, 1]]))
  else statuses.set(status, (statuses.get(status) ?? 0) + 1)
}

function count<Name>(counts: Map<Name, number>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** What is saved of a histogram. */
type SavedHistogram = readonly [counts: readonly number[], count: number, sum: number]

/** A histogram of durations, with upper bounds in seconds, as in Prometheus. */
export class DurationHistogram {
  readonly #bounds: readonly number[]
  /** One count for each bound, and one for durations above all bounds. */
  readonly #counts: number[]
  count = 0
  /** The sum of all durations, in seconds. */
  sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = new Array<number>(bounds.length + 1).fill(0)
  }

  add(seconds: number): void {
    let bucket = 0
    for (const bound of this.#bounds) {
      if (seconds <= bound) break
      bucket += 1
    }
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.count += 1
    this.sum += seconds
  }

  /** Each bound, with the number of durations up to it. */
  *cumulative(): Generator<readonly [bound: number, count: number]> {
    let total = 0
    for (const [bucket, bound] of this.#bounds.entries()) {
      total += this.#counts[bucket] ?? 0
      yield [bound, total]
    }
  }

  /** The count of each bound, the count of all durations and their sum, for a later process. */
  get saved(): SavedHistogram {
    return [this.#counts, this.count, this.sum]
  }

  /** Continues from the counts of another process. */
  restore([counts, count, sum]: SavedHistogram): void {
    Object.assign(this.#counts, counts)
    this.count = count
    this.sum = sum
  }

  clear(): void {
    this.#counts.fill(0)
    this.count = 0
    this.sum = 0
  }
}
