import { LATEST } from '../../../engine/clock/instants.js'
import { LiveTasks } from '../../../engine/progress/live-tasks.js'
import { countOf } from '../../../engine/progress/output-parts.js'
import type { OutputHistory, Seen, TaskProgress } from '../../../engine/progress/task-progress.js'
import { beforeStart, whileRunning } from '../../../engine/tasks/lifecycle.js'
import { isTerminal, type Status, type Task } from '../../../engine/tasks/task.js'
import type { ServiceExchange } from '../../operation.js'
import type { StreamMoment, StreamWriter } from './stream-writer.js'
import { readyParts } from './task-parts.js'

/** How long a stream waits before it looks at its task again, in milliseconds on the simulator's clock. */
const WAIT = 60_000

/** The same for a task that ends at a poll: a stream polls once in this time. */
const WAIT_BETWEEN_POLLS = 1_000

/**
 * The events of one task. They begin with its creation, whenever the stream begins, so that a resumed stream numbers and
 * writes them as the first one did.
 */
export class TaskEvents {
  readonly #writer: StreamWriter
  readonly #exchange: ServiceExchange
  readonly #progress: TaskProgress
  /** The number of the last event that the client has. */
  readonly #last: number
  readonly #hasLogs: boolean
  #count = 0
  #hasStarted = false
  #status: Status | undefined
  #parts = 0
  #lines = 0

  /** @throws Problem if the request asks for the events after something that is not an event */
  constructor(writer: StreamWriter, exchange: ServiceExchange) {
    this.#writer = writer
    this.#exchange = exchange
    this.#progress = exchange.sim.live.by(LiveTasks).progress
    this.#last = writer.resumesAfter(exchange)
    this.#hasLogs = writer.hasLogs(exchange)
  }

  /**
   * Yields each event when it happens, up to the end of the task.
   * @param signal ends the wait for the next event
   */
  async *of(first: Task, signal: AbortSignal): AsyncGenerator<string, void> {
    const { waits } = this.#exchange.sim.live.by(LiveTasks)
    const wait = 'polls' in first.plan.end ? WAIT_BETWEEN_POLLS : WAIT
    yield* this.#at({ topic: 'created', task: beforeStart(first) })
    let count: number | undefined
    for (let task: Task | undefined = first; task !== undefined; ) {
      yield* this.#start(task)
      if (isTerminal(task.status)) return yield* this.#end(task)
      yield* this.#change(task)
      yield* this.#newParts(task)
      if (this.#count === count && this.#stopsWithin(wait)) return
      count = this.#count
      task = await waits.untilNext(task.id, this.#seen(), wait, signal)
      if (signal.aborted) return
    }
  }

  /** Whether the clock stops before a wait is over: nothing else would end the stream. */
  #stopsWithin(wait: number): boolean {
    const { clock } = this.#exchange.sim
    return clock.speed === 0 && clock.now() + wait > LATEST
  }

  /** The number of events that follow if a task succeeds. */
  countOfSuccess(task: Task, { parts, resultWith }: OutputHistory): number {
    const total = Math.max(1, countOf(parts))
    const result = resultWith(countOf(parts)) ?? task.result
    const moments: StreamMoment[] = [
      { topic: 'created', task: beforeStart(task) },
      { topic: 'started', task: whileRunning(task) },
      ...Array.from({ length: this.#writer.hasParts ? total : 0 }, (_, index): StreamMoment => {
        return { topic: 'part', task: whileRunning(task, result), part: '', index }
      }),
      { topic: 'end', task: { ...task, status: 'succeeded', result } },
    ]
    return moments.flatMap((moment) => [...this.#at(moment)]).length
  }

  *#at(moment: StreamMoment): Generator<string, void> {
    for (const text of this.#writer.write(moment, this.#count, this.#exchange))
      if (this.#count++ > this.#last) yield text
  }

  *#start(task: Task): Generator<string, void> {
    if (this.#hasStarted || task.startedAt === undefined) return
    this.#hasStarted = true
    yield* this.#at({ topic: 'started', task: whileRunning(task), progress: 0 })
  }

  *#change(task: Task): Generator<string, void> {
    const logs = this.#newLines(task)
    if (this.#status !== task.status || logs.length > 0) yield* this.#at({ topic: 'change', task, logs })
    this.#status = task.status
    this.#lines += logs.length
  }

  async *#newParts(task: Task): AsyncGenerator<string, void> {
    if (!this.#writer.hasParts) return
    const ready = await readyParts(this.#exchange, task, this.#parts)
    if (ready.length === 0) return
    const { parts, resultWith } = await this.#progress.historyOf(task)
    for (const part of ready) {
      const index = this.#parts++
      const result = resultWith(this.#parts) ?? task.result
      const progress = this.#parts / Math.max(1, countOf(parts))
      yield* this.#at({ topic: 'part', task: whileRunning(task, result), part, index, progress })
    }
  }

  async *#end(task: Task): AsyncGenerator<string, void> {
    const logs = this.#newLines(task)
    yield* this.#newParts(task)
    this.#exchange.note.observed = [{ id: task.id, status: task.status }]
    const fileUrls = await this.#writer.fileUrls(task, this.#exchange)
    if (fileUrls !== undefined) this.#exchange.note.hasFiles = true
    yield* this.#at({ topic: 'end', task, index: this.#parts, logs, fileUrls })
  }

  #newLines(task: Task) {
    return this.#hasLogs ? this.#progress.logsOf(task).slice(this.#lines) : []
  }

  #seen(): Seen {
    const { hasStart, hasParts, hasChanges } = this.#writer
    const waitsForStart = hasStart && !this.#hasStarted
    return {
      ...(hasParts && { outputs: this.#parts }),
      ...((hasChanges || waitsForStart) && { status: this.#status }),
      ...(this.#hasLogs && { logs: this.#lines }),
    }
  }
}
