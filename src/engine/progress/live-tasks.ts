import type { Time } from '../clock/time.js'
import type { Events } from '../events.js'
import type { Engine } from '../tasks/engine.js'
import { FollowedTasks } from './followed-tasks.js'
import { TaskProgress } from './task-progress.js'
import { TaskWaits } from './task-waits.js'

/** What shows tasks before their end. */
export interface LiveTasksOptions {
  readonly time: Time
  readonly events: Events
  /** Creates and stores the tasks. */
  readonly tasks: Engine
}

/** Shows tasks before their end, reports what they show, and holds answers until they show more. */
export class LiveTasks {
  /** Shows tasks as they are now: their progress, their log, and the parts of their output. */
  readonly progress: TaskProgress
  /** Reports what tasks show. */
  readonly followed: FollowedTasks
  /** Counts the parts of outputs that were sent. */
  readonly sent: SentParts
  /** Holds answers until a task changes. */
  readonly waits: TaskWaits

  constructor({ time, events, tasks }: LiveTasksOptions) {
    const progress = new TaskProgress(time.clock, tasks)
    this.progress = progress
    this.sent = new SentParts(events)
    this.followed = new FollowedTasks({ time, events, tasks, progress })
    this.waits = new TaskWaits({ time, events, tasks, progress })
  }

  /** Ends all waits and follows no task any more, as a reset does. */
  clear(): void {
    this.waits.clear()
    this.followed.clear()
    this.sent.clear()
  }
}

/** How many parts of the output of each task were sent, for services that send each part once. */
export class SentParts {
  readonly #events: Events
  /** By the id of the task. */
  readonly #counts = new Map<string, number>()

  constructor(events: Events) {
    this.#events = events
    events.on('task.forgotten', ({ id }) => this.#counts.delete(id))
  }

  /** The number of parts that were sent; undefined if none was. */
  of(id: string): number | undefined {
    return this.#counts.get(id)
  }

  /** Counts the parts that were sent. */
  set(id: string, count: number): void {
    this.#counts.set(id, count)
    this.#events.emit('task.shown', id)
  }

  /** Forgets all tasks. */
  clear(): void {
    this.#counts.clear()
  }
}
