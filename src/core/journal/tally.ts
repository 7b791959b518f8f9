import type { Events } from '../events.js'
import { STATUSES, type Status } from '../task/task.js'
import { isControl } from './journal.js'

/** How long answers took: how many took at most so many seconds, as a Prometheus histogram counts them. */
export const DURATION_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5] as const

/** Counts what happens, exactly, whatever the journal has forgotten. */
export class Tally {
  /** Tasks by the state that they are in. */
  readonly tasks: Record<Status, number> = emptyStates()
  /** Answered requests by operation and status, as `tasks.create 200`. */
  readonly requests = new Map<string, number>()
  readonly faults = new Map<string, number>()
  readonly durations: number[] = DURATION_BUCKETS.map(() => 0)
  answered = 0
  /** Seconds of real time that all answers took. */
  seconds = 0
  attempts = 0
  /** What successful tasks have cost, in whole micro-dollars. */
  spent = 0

  constructor(events: Events) {
    events.on('task.created', ({ status }) => this.#move(undefined, status))
    events.on('task.started', ({ status }) => this.#move('queued', status))
    events.on('task.finished', ({ status, startedAt, cost = 0 }) => {
      this.#move(startedAt === undefined ? 'queued' : 'processing', status)
      this.spent += cost
    })
    events.on('delivery.attempted', () => {
      this.attempts += 1
    })
    events.on('request.answered', (request) => {
      if (isControl(request)) return
      const { operation = 'none', status, fault, took } = request
      count(this.requests, `${operation} ${status}`)
      if (fault !== undefined) count(this.faults, fault)
      this.answered += 1
      this.seconds += took / 1_000
      DURATION_BUCKETS.forEach((bound, index) => {
        if (took <= bound * 1_000) this.durations[index] = (this.durations[index] ?? 0) + 1
      })
    })
  }

  /** How many tasks were made. */
  get created(): number {
    return Object.values(this.tasks).reduce((sum, number) => sum + number, 0)
  }

  clear(): void {
    Object.assign(this.tasks, emptyStates())
    this.requests.clear()
    this.faults.clear()
    this.durations.fill(0)
    this.answered = 0
    this.seconds = 0
    this.attempts = 0
    this.spent = 0
  }

  #move(from: Status | undefined, to: Status): void {
    if (from !== undefined) this.tasks[from] -= 1
    this.tasks[to] += 1
  }
}

function emptyStates(): Record<Status, number> {
  return Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
