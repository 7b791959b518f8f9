import { type Awaitable, after } from '../awaitable.js'
import { type Job, type SavedJob, savedJob } from '../clock/schedule.js'
import type { Time } from '../clock/time.js'
import type { Events } from '../events.js'
import type { Engine } from '../tasks/engine.js'
import type { Task } from '../tasks/task.js'
import { countOf, type OutputParts, readyOf } from './output-parts.js'
import type { TaskProgress } from './task-progress.js'

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
  /** Whether the result has been produced, so that polls are reported. */
  isReady: boolean
  /** Undefined until the result has been produced in this process. */
  parts: OutputParts | undefined
  job: Job | undefined
}

/** What is saved of a task that is followed. */
export interface SavedFollowing {
  /** How much of each topic was reported, and the earliest time of the next report. */
  readonly reported: readonly Pick<Reported, 'topic' | 'count' | 'earliest'>[]
  readonly isReady: boolean
  /** Makes the next report; undefined if its instant is not known. */
  readonly job: SavedJob | undefined
}

/** Reports new log lines and parts of outputs, for tasks whose order asks for that. It schedules nothing for others. */
export class FollowedTasks {
  readonly #time: Pick<Time, 'clock' | 'schedule'>
  readonly #events: Events
  readonly #tasks: Pick<Engine, 'isHeld'>
  readonly #progress: TaskProgress
  readonly #followed = new Map<string, Followed>()

  constructor({
    time,
    events,
    tasks,
    progress,
  }: {
    time: Pick<Time, 'clock' | 'schedule'>
    events: Events
    tasks: Pick<Engine, 'isHeld'>
    progress: TaskProgress
  }) {
    this.#time = time
    this.#events = events
    this.#tasks = tasks
    this.#progress = progress
    events.on('task.polled', ({ id }) => this.#polled(id))
    events.on('task.held', (id) => this.#pause(id))
    events.on('task.released', (id) => this.#resume(id))
    events.on('task.finished', ({ id }) => this.#forget(id))
  }

  /** Starts to follow a task that has started. */
  start(task: Task): void {
    const followed = newFollowed(task)
    if (followed === undefined) return
    this.#followed.set(task.id, followed)
    if (!this.#tasks.isHeld(task.id)) this.#resume(task.id)
  }

  /** What is to be saved of a task; undefined if it is not followed. */
  saved(id: string): SavedFollowing | undefined {
    const followed = this.#followed.get(id)
    if (followed === undefined) return undefined
    const reported = followed.topics.map(({ topic, count, earliest }) => ({ topic, count, earliest }))
    return { reported, isReady: followed.isReady, job: savedJob(followed.job) }
  }

  /** Continues to follow a task of a simulator that was saved. */
  restore(task: Task, { reported, isReady, job }: SavedFollowing): void {
    const followed = newFollowed(task, reported)
    if (followed === undefined) return
    this.#followed.set(task.id, followed)
    followed.isReady = isReady
    if (job !== undefined) followed.job = this.#time.schedule.restore(job, this.#jobOf(followed))
  }

  /** Stops following all tasks. The owner of the schedule clears the schedule. */
  clear(): void {
    this.#followed.clear()
  }

  /** Reports what a poll has brought about. */
  #polled(id: string): void {
    const followed = this.#followed.get(id)
    if (followed?.isReady) this.#reportAt(followed, this.#time.clock.now())
  }

  /** Reports nothing until the task is released. */
  #pause(id: string): void {
    const followed = this.#followed.get(id)
    followed?.job?.cancel()
    if (followed !== undefined) followed.job = undefined
  }

  #resume(id: string): void {
    const followed = this.#followed.get(id)
    if (followed !== undefined) this.#wake(followed, this.#time.clock.now())
  }

  #forget(id: string): void {
    this.#pause(id)
    this.#followed.delete(id)
  }

  #wake(followed: Followed, at: number): void {
    followed.job?.cancel()
    followed.job = this.#time.schedule.at(at, this.#jobOf(followed))
  }

  /** The job of a report, which is saved until the report is made: a result may take a while. */
  #jobOf(followed: Followed): (at: number) => Awaitable<void> {
    return (at) => {
      const { job } = followed
      return after(this.#reportAt(followed, at), () => {
        if (followed.job === job) followed.job = undefined
      })
    }
  }

  #reportAt(followed: Followed, at: number): Awaitable<void> {
    return after(followed.parts ?? this.#progress.partsOf(followed.task), (parts) => {
      followed.parts = parts
      followed.isReady = true
      if (this.#followed.get(followed.task.id) !== followed) return
      this.#report(followed, parts, at)
      this.#events.emit('task.shown', followed.task.id)
    })
  }

  #report(followed: Followed, parts: OutputParts, at: number): void {
    for (const reported of followed.topics) {
      const count = this.#countOf(followed.task, parts, reported.topic)
      if (count <= reported.count || at < reported.earliest) continue
      reported.count = count
      reported.earliest = at + reported.interval
      this.#events.emit('task.progressed', followed.task, reported.topic, at)
    }
    this.#scheduleNext(followed, parts)
  }

  #scheduleNext(followed: Followed, parts: OutputParts): void {
    const instants = followed.topics.flatMap(({ topic, count, earliest }) => {
      const next = this.#progress.nextInstant(followed.task, parts, { [topic]: count })
      return next === undefined ? [] : [Math.max(next, earliest)]
    })
    if (instants.length > 0) this.#wake(followed, Math.min(...instants))
  }

  #countOf(task: Task, parts: OutputParts, topic: Topic): number {
    if (topic === 'logs') return this.#progress.logsOf(task).length
    return readyOf(countOf(parts), this.#progress.of(task))
  }
}

/** @returns undefined if the order of the task asks for no reports */
function newFollowed(task: Task, reported: SavedFollowing['reported'] = []): Followed | undefined {
  const topics = TOPICS.flatMap((topic) => {
    const interval = task.follow?.[topic]
    if (interval === undefined) return []
    const { count = 0, earliest = 0 } = reported.find((each) => each.topic === topic) ?? {}
    return [{ topic, interval, count, earliest }]
  })
  return topics.length === 0 ? undefined : { task, topics, isReady: false, parts: undefined, job: undefined }
}
