import { type Awaitable, after } from '../awaitable.js'
import type { Events } from '../events.js'
import type { Engine } from './engine.js'
import { isTerminal, type Task } from './task.js'

/** The parts that {@link TaskWaits} needs. */
export interface TaskWaitsParts {
  readonly tasks: Pick<Engine, 'get' | 'poll'>
  readonly events: Events
  /** Calls a function after some milliseconds on the simulator's clock. Returns a function that cancels the call. */
  readonly startDeadline: (milliseconds: number, onPassed: () => void) => () => void
}

/** Why a wait is over: a task has ended, the time has passed, or a reset has deleted all tasks. */
type Reason = Task | 'passed' | 'reset'

/** Holds answers until a task has ended. It schedules nothing for tasks that nobody waits for. */
export class TaskWaits {
  readonly #parts: TaskWaitsParts
  /** Functions that end a wait, by the id of the task. */
  readonly #waiting = new Map<string, Set<(reason: Reason) => void>>()

  constructor(parts: TaskWaitsParts) {
    this.#parts = parts
    parts.events.on('task.finished', (task) => this.#end(task.id, task))
  }

  /**
   * Counts as a poll, and waits until a task has ended, at most some milliseconds on the clock.
   * @returns the task, which may not have ended; undefined if it does not exist, or a reset or the end of the simulator
   * has ended the wait
   */
  async untilEnd(id: string, milliseconds: number): Promise<Task | undefined> {
    if (milliseconds <= 0) return this.#poll(id)
    const wait = this.#start(id, milliseconds)
    try {
      const task = await this.#poll(id)
      if (task === undefined || isTerminal(task.status)) return task
      const reason = await wait.over
      if (reason === 'reset') return undefined
      return reason === 'passed' ? await this.#parts.tasks.get(id) : reason
    } finally {
      wait.stop()
    }
  }

  /** Ends all waits, as a reset does. */
  clear(): void {
    for (const id of [...this.#waiting.keys()]) this.#end(id, 'reset')
  }

  #poll(id: string): Awaitable<Task | undefined> {
    const { tasks } = this.#parts
    return after(tasks.get(id), (task) => task && tasks.poll(task))
  }

  #start(id: string, milliseconds: number): { over: Promise<Reason>; stop: () => void } {
    let end: (reason: Reason) => void = () => {}
    const over = new Promise<Reason>((resolve) => {
      end = resolve
    })
    const cancelDeadline = this.#parts.startDeadline(milliseconds, () => end('passed'))
    const ends = this.#waiting.get(id) ?? new Set()
    this.#waiting.set(id, ends.add(end))
    const stop = () => {
      cancelDeadline()
      ends.delete(end)
      if (ends.size === 0 && this.#waiting.get(id) === ends) this.#waiting.delete(id)
    }
    return { over, stop }
  }

  #end(id: string, reason: Reason): void {
    for (const end of this.#waiting.get(id) ?? []) end(reason)
  }
}
