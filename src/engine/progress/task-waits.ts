import { yieldToEventLoop } from '../awaitable.js'
import type { Time } from '../clock/time.js'
import type { Events } from '../events.js'
import type { Engine } from '../tasks/engine.js'
import { isTerminal, type Task } from '../tasks/task.js'
import type { Seen, TaskProgress } from './task-progress.js'

/** Holds answers until a task changes. It schedules nothing for tasks that nobody waits for. */
export class TaskWaits {
  readonly #time: Time
  readonly #tasks: Engine
  readonly #progress: TaskProgress
  /** By the id of the task. */
  readonly #waits = new Map<string, Set<Wait>>()

  constructor({
    time,
    events,
    tasks,
    progress,
  }: {
    time: Time
    events: Events
    tasks: Engine
    progress: TaskProgress
  }) {
    this.#time = time
    this.#tasks = tasks
    this.#progress = progress
    events.on('task.finished', (task) => this.#forEach(task.id, (wait) => wait.end(task)))
    events.on('task.started', ({ id }) => this.#forEach(id, (wait) => wait.wake()))
    events.on('task.polled', ({ id }) => this.#forEach(id, (wait) => wait.wake()))
  }

  /**
   * Waits until a task has ended, such as for an answer that is held until then. The wait counts as one poll. It lasts
   * at most some milliseconds on the clock. If nobody advances a manual clock for the simulator's `patience` in real
   * time, the clock moves on by itself until the wait is over.
   * @param signal ends the wait, because the client has disconnected
   * @returns the task, which may not have ended; undefined if it does not exist, or a reset or the end of the simulator
   * has ended the wait
   */
  untilEnd(id: string, milliseconds: number, signal?: AbortSignal): Promise<Task | undefined> {
    return this.untilNext(id, {}, milliseconds, signal)
  }

  /**
   * Waits until a task has ended or shows more than a client has seen, such as for the next event of a stream. It lasts
   * as long as {@link untilEnd}. It counts as a poll if the task does not show more at once.
   * @param seen what the client has seen: the status, and the numbers of log lines and of parts of the output. A task
   * that shows more of a field that is undefined does not end the wait
   * @param signal ends the wait, because the client has disconnected
   * @returns the task; undefined as in {@link untilEnd}
   */
  async untilNext(
    id: string,
    seen: Seen,
    milliseconds: number,
    signal?: AbortSignal,
  ): Promise<Task | undefined> {
    const wait = new Wait()
    const stop = this.#start(id, wait, milliseconds, signal)
    try {
      const task = this.#tasks.get(id)
      if (task === undefined || isTerminal(task.status) || (await this.#showsMore(task, seen))) return task
      const polled = await this.#tasks.poll(task)
      if (isTerminal(polled.status)) return polled
      return await this.#untilMore(wait, polled, seen)
    } finally {
      stop()
    }
  }

  /** The number of waits. */
  get size(): number {
    return [...this.#waits.values()].reduce((sum, { size }) => sum + size, 0)
  }

  /** Ends all waits, as a reset does. */
  clear(): void {
    for (const id of [...this.#waits.keys()]) this.#forEach(id, (wait) => wait.end('reset'))
  }

  async #untilMore(wait: Wait, task: Task, seen: Seen): Promise<Task | undefined> {
    for (let current: Task | undefined = task; current !== undefined; current = this.#tasks.get(task.id)) {
      if (wait.reason === undefined && (await this.#showsMore(current, seen))) return current
      const reason = await this.#nextChange(wait, current, seen)
      if (reason === 'reset') return undefined
      if (reason === 'passed') return this.#tasks.get(task.id)
      if (reason !== undefined) return reason
    }
    return undefined
  }

  /** Waits for an event, or for the instant at which the task shows more. */
  async #nextChange(wait: Wait, task: Task, seen: Seen): Promise<Reason | undefined> {
    const progress = this.#progress
    const parts = await this.#partsOf(task, seen)
    // The clock may have advanced in the meantime.
    if (wait.reason === undefined && progress.showsMore(task, parts, seen)) return undefined
    const at = progress.nextInstant(task, parts, seen)
    const job =
      at === undefined
        ? undefined
        : this.#time.schedule.at(at, () => this.#forEach(task.id, (wait) => wait.wake()))
    const reason = await wait.changed()
    job?.cancel()
    return reason
  }

  async #showsMore(task: Task, seen: Seen): Promise<boolean> {
    return this.#progress.showsMore(task, await this.#partsOf(task, seen), seen)
  }

  #partsOf(task: Task, { outputs }: Seen) {
    return outputs === undefined ? { files: 0, pieces: [] } : this.#progress.partsOf(task)
  }

  /** @returns a function that stops the wait */
  #start(id: string, wait: Wait, milliseconds: number, signal?: AbortSignal): () => void {
    const giveUp = () => wait.end('passed')
    if (milliseconds <= 0 || signal?.aborted) giveUp()
    signal?.addEventListener('abort', giveUp)
    const cancelDeadline = this.#time.startDeadline(milliseconds, () => {
      this.#forEach(id, (other) => other === wait && wait.end('passed'))
    })
    const waits = this.#waits.get(id) ?? new Set()
    this.#waits.set(id, waits.add(wait))
    return () => {
      cancelDeadline()
      signal?.removeEventListener('abort', giveUp)
      waits.delete(wait)
      if (waits.size === 0 && this.#waits.get(id) === waits) this.#waits.delete(id)
    }
  }

  #forEach(id: string, action: (wait: Wait) => void): void {
    const waits = this.#waits.get(id)
    if (waits === undefined) return
    for (const wait of waits) action(wait)
    // An advance of the clock goes on after those who wait have seen the change.
    this.#time.inFlight.track(yieldToEventLoop())
  }
}

/** Why a wait is over: a task has ended, the time has passed or the client is gone, or a reset has deleted all tasks. */
type Reason = Task | 'passed' | 'reset'

/** One wait for one task. */
class Wait {
  /** Undefined while the wait continues. */
  reason: Reason | undefined
  #hasChanged = false
  #onChange = () => {}

  /** Resolves after a call of {@link wake} or {@link end} since the last time. */
  async changed(): Promise<Reason | undefined> {
    if (!this.#hasChanged) {
      await new Promise<void>((resolve) => {
        this.#onChange = resolve
      })
    }
    this.#hasChanged = false
    return this.reason
  }

  wake(): void {
    this.#hasChanged = true
    this.#onChange()
  }

  end(reason: Reason): void {
    this.reason ??= reason
    this.wake()
  }
}
