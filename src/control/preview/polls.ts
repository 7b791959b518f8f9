import type { Task } from '../../engine/tasks/task.js'
import { yieldToEventLoop } from '../../engine/yield-to-event-loop.js'
import type { Simulator } from '../../simulator.js'

/**
 * Ends the tasks of a sample that end at a poll, as soon as the client has the response to the create request and the
 * task has started. One call replaces all polls of a task, because a scenario may require a million polls.
 */
export class PollingClient {
  readonly #sim: Simulator
  readonly #pending: PendingWork
  readonly #queued = new Set<string>()

  constructor(sim: Simulator, pending: PendingWork) {
    this.#sim = sim
    this.#pending = pending
    sim.on('task.started', ({ id }) => {
      if (this.#queued.delete(id)) this.#pending.add(this.#sim.tasks.finish(id))
    })
  }

  /** Polls a task, now or once it has started. */
  async poll(id: string | undefined): Promise<void> {
    const task = id === undefined ? undefined : this.#sim.tasks.get(id)
    if (task === undefined || !endsAtPoll(task)) return
    if (task.status === 'queued') this.#queued.add(task.id)
    else await this.#sim.tasks.finish(task.id)
  }
}

function endsAtPoll({ plan }: Task): boolean {
  return 'polls' in plan.end && plan.outcome !== 'stuck'
}

/** The microtask turns in which most requests are answered. */
const TURNS = 40

/** The unfinished work of a sample. The first failure ends the sample. */
export class PendingWork {
  readonly #sim: Simulator
  readonly #signal: AbortSignal | undefined
  readonly #work = new Set<Promise<unknown>>()
  #failure: { readonly error: unknown } | undefined

  constructor(sim: Simulator, signal: AbortSignal | undefined) {
    this.#sim = sim
    this.#signal = signal
  }

  get size(): number {
    return this.#work.size
  }

  add(work: Promise<unknown>): void {
    this.#work.add(work)
    work
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .finally(() => this.#work.delete(work))
  }

  /**
   * Lets the work run until it has ended or waits for the clock. Some of it may wait for a module that is loaded on first
   * use, and no time passes on the clock of a client meanwhile.
   * @throws the first error of the work, or the reason of the aborted signal
   */
  async run(): Promise<void> {
    for (let turn = 0; turn < TURNS && this.size > 0; turn++) await undefined
    while (this.size > this.#sim.held) {
      await yieldToEventLoop()
      this.check()
    }
    this.check()
  }

  /** @throws the first error of the work, or the reason of the aborted signal */
  check(): void {
    this.#signal?.throwIfAborted()
    if (this.#failure !== undefined) throw this.#failure.error
  }
}
