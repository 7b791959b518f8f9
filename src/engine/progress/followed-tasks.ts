import { after } from '../awaitable.js'
import type { Clock } from '../clock/clock.js'
import type { Job, Schedule } from '../clock/schedule.js'
import type { Events } from '../events.js'
import type { Engine } from '../tasks/engine.js'
import type { Task } from '../tasks/task.js'
import { countOf, type OutputParts, readyOf } from './output-parts.js'
import type { TaskProgress } from './task-progress.js'

/** The parts that {@link FollowedTasks} needs. */
export interface FollowedTasksParts {
  /** The simulator's clock. */
  readonly clock: Clock
  /** The jobs on that clock. */
  readonly schedule: Schedule
  /** Receives `task.progressed`, and emits what happens to tasks. */
  readonly events: Events
  readonly tasks: Pick<Engine, 'isHeld'>
  readonly progress: TaskProgress
}

/** What a task can show more of. */
const TOPICS = ['logs', 'outputs'] as const
type Topic = (typeof TOPICS)[number]

/** A topic that is reported, how much of it was reported, and the earliest time of the next report. */
interface Reported {
  readonly topic: Topic
  /** Milliseconds. */
  readonly interval: number
  count: number
  earliest: number
}

interface Followed {
  readonly task: Task
  readonly topics: readonly Reported[]
  /** Undefined until the result has been produced. */
  parts: OutputParts | undefined
  job: Job | undefined
}

/** Reports new log lines and parts of outputs, for tasks whose order asks for that. It schedules nothing for others. */
export class FollowedTasks {
  readonly #parts: FollowedTasksParts
  readonly #followed = new Map<string, Followed>()

  constructor(parts: FollowedTasksParts) {
    this.#parts = parts
    const { events } = parts
    events.on('task.polled', ({ id }) => this.#polled(id))
    events.on('task.held', (id) => this.#pause(id))
    events.on('task.released', (id) => this.#resume(id))
    events.on('task.finished', ({ id }) => this.#forget(id))
  }

  /** Starts to follow a task that has started. */
  start(task: Task): void {
    const topics = TOPICS.flatMap((topic) => {
      const interval = task.follow?.[topic]
      return interval === undefined ? [] : [{ topic, interval, count: 0, earliest: 0 }]
    })
    if (topics.length === 0) return
    this.#followed.set(task.id, { task, topics, parts: undefined, job: undefined })
    if (!this.#parts.tasks.isHeld(task.id)) this.#resume(task.id)
  }

  /** Stops following all tasks. The owner of the schedule clears the schedule. */
  clear(): void {
    this.#followed.clear()
  }

  /** Reports what a poll has brought about. */
  #polled(id: string): void {
    const followed = this.#followed.get(id)
    if (followed?.parts !== undefined) this.#report(followed, followed.parts, this.#parts.clock.now())
  }

  /** Reports nothing until the task is released. */
  #pause(id: string): void {
    const followed = this.#followed.get(id)
    followed?.job?.cancel()
  }

  #resume(id: string): void {
    const followed = this.#followed.get(id)
    if (followed !== undefined) this.#wake(followed, this.#parts.clock.now())
  }

  #forget(id: string): void {
    this.#pause(id)
    this.#followed.delete(id)
  }

  #wake(followed: Followed, at: number): void {
    followed.job?.cancel()
    followed.job = this.#parts.schedule.at(at, (at) =>
      after(followed.parts ?? this.#parts.progress.partsOf(followed.task), (parts) => {
        followed.parts = parts
        if (this.#followed.get(followed.task.id) === followed) this.#report(followed, parts, at)
      }),
    )
  }

  #report(followed: Followed, parts: OutputParts, at: number): void {
    const { events } = this.#parts
    for (const reported of followed.topics) {
      const count = this.#countOf(followed.task, parts, reported.topic)
      if (count <= reported.count || at < reported.earliest) continue
      reported.count = count
      reported.earliest = at + reported.interval
      events.emit('task.progressed', followed.task, reported.topic, at)
    }
    this.#scheduleNext(followed, parts)
  }

  #scheduleNext(followed: Followed, parts: OutputParts): void {
    const instants = followed.topics.flatMap(({ topic, count, earliest }) => {
      const next = this.#parts.progress.nextInstant(followed.task, parts, { [topic]: count })
      return next === undefined ? [] : [Math.max(next, earliest)]
    })
    if (instants.length > 0) this.#wake(followed, Math.min(...instants))
  }

  #countOf(task: Task, parts: OutputParts, topic: Topic): number {
    const { progress } = this.#parts
    return topic === 'logs' ? progress.logsOf(task).length : readyOf(countOf(parts), progress.of(task))
  }
}
