import type { Events } from '../../engine/events.js'
import { STATUSES, type Status } from '../../engine/tasks/task.js'
import { Histogram } from './histogram.js'
import { isControl } from './journal.js'

/** Counts what happens, exactly, whatever the journal has forgotten. */
export class Tally {
  /** Tasks by the state that they are in. */
  readonly tasks: Record<Status, number> = emptyStates()
  /** Answered requests by operation, which is `none` where nothing was there to ask for, and then by status. */
  readonly requests = new Map<string, Map<number, number>>()
  readonly faults = new Map<string, number>()
  /** The real time that answers took. */
  readonly durations = new Histogram([0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5])
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
      count(this.#statusesOf(operation), status)
      if (fault !== undefined) count(this.faults, fault)
      this.durations.add(took / 1_000)
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
    this.durations.clear()
    this.attempts = 0
    this.spent = 0
  }

  #statusesOf(operation: string): Map<number, number> {
    const known = this.requests.get(operation)
    if (known !== undefined) return known
    const statuses = new Map<number, number>()
    this.requests.set(operation, statuses)
    return statuses
  }

  #move(from: Status | undefined, to: Status): void {
    if (from !== undefined) this.tasks[from] -= 1
    this.tasks[to] += 1
  }
}

function emptyStates(): Record<Status, number> {
  return Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>
}

function count<Name>(counts: Map<Name, number>, name: Name): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
