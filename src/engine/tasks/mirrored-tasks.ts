import Queue from 'yocto-queue'
import type { Clock } from '../clock/clock.js'
import type { Events, ForgetReason } from '../events.js'
import { beforeStart, whileRunning } from './lifecycle.js'
import { isTerminal, type Task } from './task.js'
import type { TaskStore } from './task-store.js'

/** The parts that {@link MirroredTasks} needs. */
export interface MirroredTasksParts {
  /** The time at which tasks are forgotten. */
  readonly clock: Pick<Clock, 'now'>
  /** Stores the tasks. */
  readonly store: TaskStore
  /** Receives the events of tasks. */
  readonly events: Pick<Events, 'emit'>
  /** How many tasks to keep. */
  readonly keep: number
  /** Called with a task as it has ended, and as it ends in place of that, before the event of the second end. */
  readonly onCorrected: (wrong: Task, right: Task) => void
  /** Called with the id of a task that is no longer kept. */
  readonly onForgotten: (id: string) => void
}

/** Shows the tasks of another service as those of a simulator. They have no plan, and end only when they are shown as ended. */
export class MirroredTasks {
  readonly #parts: MirroredTasksParts
  /** The ids in the order of creation, with those of deleted tasks. */
  readonly #ids = new Queue<string>()

  constructor(parts: MirroredTasksParts) {
    this.#parts = parts
  }

  /** The task with an id; undefined if it was not shown, or is no longer kept. */
  get(id: string): Task | undefined {
    return this.#parts.store.get(id)
  }

  /** Adds a task or replaces it, and emits the events of its changes. */
  show(shown: Task): void {
    const known = this.get(shown.id) ?? this.#add(shown)
    const task = { ...shown, startedAt: shown.startedAt ?? known.startedAt }
    const { startedAt, completedAt } = task
    const hasEnded = isTerminal(known.status)
    if (hasEnded && known.status !== task.status) this.#parts.onCorrected(known, task)
    if (startedAt !== undefined && known.startedAt === undefined && !hasEnded)
      this.#parts.events.emit('task.started', this.#put(whileRunning(task)), startedAt)
    this.#put(task)
    if (completedAt !== undefined && known.status !== task.status)
      this.#parts.events.emit('task.finished', task, completedAt)
  }

  /** Forgets a task that a client has deleted. */
  delete(id: string): void {
    this.#forget(id, 'deleted')
  }

  #add(task: Task): Task {
    const { store, events, keep } = this.#parts
    const created = task.startedAt === task.createdAt ? whileRunning(task) : beforeStart(task)
    store.add(created)
    this.#ids.enqueue(task.id)
    events.emit('task.created', created)
    if (this.#ids.size > keep) this.#forget(this.#ids.dequeue() ?? '', 'evicted')
    return created
  }

  #put(task: Task): Task {
    this.#parts.store.update(task.id, () => task)
    return task
  }

  #forget(id: string, reason: ForgetReason): void {
    const { clock, store, events, onForgotten } = this.#parts
    const task = store.delete(id)
    if (task === undefined) return
    onForgotten(id)
    events.emit('task.forgotten', task, reason, clock.now())
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
