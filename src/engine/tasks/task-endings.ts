import { type Awaitable, after, isPromise } from '../awaitable.js'
import type { Clock } from '../clock/clock.js'
import type { InFlight } from '../clock/in-flight.js'
import type { Events } from '../events.js'
import { EarlyResults } from './early-results.js'
import type { Kinds } from './kinds.js'
import { type Ending, end, endingOf } from './lifecycle.js'
import { isTerminal, type Plan, type Task } from './task.js'
import type { TaskStore } from './task-store.js'

/** The parts that {@link TaskEndings} needs. */
export interface TaskEndingsParts {
  /** The simulator's clock. */
  readonly clock: Clock
  /** The work that an advance of the clock waits for. */
  readonly inFlight: InFlight
  /** Stores the tasks. */
  readonly store: TaskStore
  /** Receives errors. */
  readonly events: Events
  /** Produces the results of tasks. */
  readonly kinds: Kinds
}

/** What {@link TaskEndings} needs from its owner. */
interface EndingHooks {
  /** The counted polls of a task that has not ended; undefined if none was counted. */
  readonly pollsOf: (id: string) => number | undefined
  /** Called with each task that has just ended, and when, in epoch milliseconds. */
  readonly onEnd: (task: Task, at: number) => void
}

/** Ends tasks: as planned, at a poll, or when somebody asks for it. */
export class TaskEndings {
  /** Produces the results of tasks. */
  readonly results: EarlyResults
  readonly #parts: TaskEndingsParts
  readonly #hooks: EndingHooks
  /** Changes with each reset, so that an interrupted operation changes nothing after the reset. */
  #generation = 0

  constructor(parts: TaskEndingsParts, hooks: EndingHooks) {
    this.#parts = parts
    this.#hooks = hooks
    this.results = new EarlyResults(parts)
  }

  /**
   * Ends a task now. An advance of the clock waits until it has ended, because the code that produces its result may have
   * to be loaded first.
   * @param outcome the outcome and its error; the planned ones by default
   * @returns the ended task; undefined if it had already ended
   */
  finish(id: string, outcome?: Pick<Plan, 'outcome' | 'error'>): Promise<Task | undefined> {
    const finished = this.#finish(id, outcome)
    this.#parts.inFlight.track(finished)
    return finished
  }

  /** Ends a task as planned. @param at epoch milliseconds */
  asPlanned(at: number, id: string): Awaitable<unknown> {
    const task = this.#parts.store.get(id)
    if (task === undefined || isTerminal(task.status)) return undefined
    const ending = this.#endingOf(task)
    return isPromise(ending) ? this.#endLater(id, ending, at) : this.end(id, ending, at)
  }

  /** Ends a task as planned, because of a poll. @returns the task after the poll */
  atPoll(task: Task): Awaitable<Task> {
    const ended = this.asPlanned(this.#parts.clock.now(), task.id)
    return after(ended, () => this.#parts.store.get(task.id) ?? task)
  }

  /** Ends a task. @param at epoch milliseconds @returns the ended task; undefined if it had already ended */
  end(id: string, ending: Ending, at: number): Task | undefined {
    const ended = this.#parts.store.update(id, (task) => end(task, ending, at, this.#hooks.pollsOf(id)))
    if (ended === undefined) return undefined
    this.results.forget(id)
    this.#hooks.onEnd(ended, at)
    return ended
  }

  /** Interrupts all operations. */
  clear(): void {
    this.results.clear()
    this.#generation += 1
  }

  async #finish(id: string, outcome: Pick<Plan, 'outcome' | 'error'> | undefined): Promise<Task | undefined> {
    const generation = this.#generation
    const task = this.#parts.store.get(id)
    if (task === undefined || isTerminal(task.status)) return undefined
    const ending = await this.#endingOf({ ...task, plan: { ...task.plan, ...outcome } })
    return generation === this.#generation ? this.end(id, ending, this.#parts.clock.now()) : undefined
  }

  async #endLater(id: string, pending: PromiseLike<Ending>, at: number): Promise<void> {
    const generation = this.#generation
    const ending = await pending
    if (generation === this.#generation) this.end(id, ending, at)
  }

  #endingOf(task: Task): Awaitable<Ending> {
    return endingOf(task, this.results, (problem) => this.#parts.events.emit('error', problem))
  }
}
