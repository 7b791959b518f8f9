import Queue from 'yocto-queue'
import type { Clock } from '../clock/clock.js'
import type { Events, ForgetReason } from '../events.js'
import { beforeStart, whileRunning } from './lifecycle.js'
import { isTerminal, type Task } from './task.js'
import type { TaskStore } from './task-store.js'

/**
 * Shows the tasks of another service as those of a simulator. They have no plan, and end only when they are shown as
 * ended.
 */
export class MirroredTasks {
  readonly #clock: Pick<Clock, 'now'>
  readonly #store: TaskStore
  readonly #events: Pick<Events, 'emit'>
  readonly #keep: number
  readonly #onCorrected: (wrong: Task, right: Task) => void
  readonly #onForgotten: (id: string) => void
  /** The ids in the order of creation, with those of deleted tasks. */
  readonly #ids = new Queue<string>()

  /**
   * @param keep how many tasks to keep
   * @param onCorrected called with a task as it has ended, and as it ends in place of that, before the event of the
   * second end
   * @param onForgotten called with the id of a task that is no longer kept
   */
  constructor({
    clock,
    store,
    events,
    keep,
    onCorrected,
    onForgotten,
  }: {
    clock: Pick<Clock, 'now'>
    store: TaskStore
    events: Pick<Events, 'emit'>
    keep: number
    onCorrected: (wrong: Task, right: Task) => void
    onForgotten: (id: string) => void
  }) {
    this.#clock = clock
    this.#store = store
    this.#events = events
    this.#keep = keep
    this.#onCorrected = onCorrected
    this.#onForgotten = onForgotten
  }

  /** The task with an id; undefined if it was not shown, or is no longer kept. */
  get(id: string): Task | undefined {
    return this.#store.get(id)
  }

  /** Adds a task or replaces it, and emits the events of its changes. */
  show(shown: Task): void {
    const known = this.get(shown.id) ?? this.#add(shown)
    const task = { ...shown, startedAt: shown.startedAt ?? known.startedAt }
    const { startedAt, completedAt } = task
    const hasEnded = isTerminal(known.status)
    if (hasEnded && known.status !== task.status) this.#onCorrected(known, task)
    if (startedAt !== undefined && known.startedAt === undefined && !hasEnded)
      this.#events.emit('task.started', this.#put(whileRunning(task)), startedAt)
    this.#put(task)
    if (completedAt !== undefined && known.status !== task.status)
      this.#events.emit('task.finished', task, completedAt)
  }

  /** Forgets a task that a client has deleted. */
  delete(id: string): void {
    this.#forget(id, 'deleted')
  }

  #add(task: Task): Task {
    const created = task.startedAt === task.createdAt ? whileRunning(task) : beforeStart(task)
    this.#store.add(created)
    this.#ids.enqueue(task.id)
    this.#events.emit('task.created', created)
    if (this.#ids.size > this.#keep) this.#forget(this.#ids.dequeue() ?? '', 'evicted')
    return created
  }

  #put(task: Task): Task {
    this.#store.update(task.id, () => task)
    return task
  }

  #forget(id: string, reason: ForgetReason): void {
    const task = this.#store.delete(id)
    if (task === undefined) return
    this.#onForgotten(id)
    this.#events.emit('task.forgotten', task, reason, this.#clock.now())
  }
}

/** What a proxy may not see: downloads of output files, webhooks, and the reaction to lost or forged webhooks. */
export type Unseen = 'downloads' | 'webhooks' | 'forgeries'

/** A real service whose tasks a simulator shows, as a proxy sees them, in place of tasks of its own. */
export interface MirroredService {
  /** Its origin, such as `https://api.example.com`. */
  readonly upstream: string
  /** The tasks that the proxy has seen. */
  readonly store: TaskStore
  /** The file with the recording. */
  readonly file: string
  /** Why the proxy does not see some actions of the client. */
  readonly unseen: Readonly<Partial<Record<Unseen, string>>>
  /** Whether a webhook that the proxy did not see may have told the client about a task. */
  mayHaveAnnounced(task: Task): boolean
}
