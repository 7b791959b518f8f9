import type { Engine } from '../tasks/engine.js'
import { FollowedTasks, type FollowedTasksParts } from './followed-tasks.js'
import { SentParts } from './sent-parts.js'
import { TaskProgress } from './task-progress.js'
import { TaskWaits, type TaskWaitsParts } from './task-waits.js'

/** The parts that {@link LiveTasks} needs. */
export interface LiveTasksParts
  extends Omit<TaskWaitsParts, 'progress' | 'tasks'>,
    Omit<FollowedTasksParts, 'progress' | 'tasks'> {
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

  constructor(parts: LiveTasksParts) {
    const { clock, tasks } = parts
    this.progress = new TaskProgress({ clock, tasks })
    this.sent = new SentParts(parts.events)
    this.followed = new FollowedTasks({ ...parts, progress: this.progress })
    this.waits = new TaskWaits({ ...parts, progress: this.progress })
  }

  /** Ends all waits and follows no task any more, as a reset does. */
  clear(): void {
    this.waits.clear()
    this.followed.clear()
    this.sent.clear()
  }
}
