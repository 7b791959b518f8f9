import { type Awaitable, after, isPromise } from '../awaitable.js'
import type { Clock } from '../clock/clock.js'
import type { JsonObject, JsonValue } from '../json.js'
import type { Engine } from '../tasks/engine.js'
import type { Production } from '../tasks/kinds.js'
import type { Result, Task } from '../tasks/task.js'
import { type LogLine, logSameUntil, logsOf, progressOfLine } from './log-lines.js'
import { countOf, type OutputPart, type OutputParts, partAt, partsOf, readyOf } from './output-parts.js'
import { belowUntil, instantOf, nextShownProgress, type ProgressPoint, progressOf } from './progress-of.js'

/** How much of a task a client has seen. Anything it does not care about is undefined. */
export interface Seen {
  readonly status?: Task['status'] | undefined
  /** The number of log lines. */
  readonly logs?: number | undefined
  /** The number of parts of the output. */
  readonly outputs?: number | undefined
}

/** The output of a task, part by part. It has no parts if it cannot be produced. */
export interface OutputHistory {
  readonly parts: OutputParts
  /** The result as it was when a number of its parts were ready; undefined if it is only known as a whole. */
  readonly resultWith: (ready: number) => Result | undefined
}

/**
 * Shows tasks as they are now: their progress, log, and the parts of their output. It computes only what is asked for.
 */
export class TaskProgress {
  readonly #clock: Clock
  readonly #tasks: Pick<Engine, 'results' | 'pollsOf'>
  readonly #outputs = new WeakMap<Production, OutputParts>()

  constructor(clock: Clock, tasks: Pick<Engine, 'results' | 'pollsOf'>) {
    this.#clock = clock
    this.#tasks = tasks
  }

  /**
   * The progress of a task, from 0 to 1.
   * @param now epoch milliseconds; the present by default
   */
  of(task: Task, now?: number): number {
    return progressOf(task, this.#pointOf(task, now))
  }

  /**
   * Until when the shown progress of a task stays the same if the task does not change.
   * @returns epoch milliseconds; 0 if a poll may change it
   */
  sameUntil(task: Task, now?: number): number {
    if (task.status !== 'processing') return Infinity
    return belowUntil(task, nextShownProgress(this.of(task, now)))
  }

  /** The log of a task. */
  logsOf(task: Task, now?: number): readonly LogLine[] {
    return logsOf(task, this.#pointOf(task, now))
  }

  /**
   * Until when the log of a task stays the same if the task does not change.
   * @returns epoch milliseconds; 0 if a poll may change it
   */
  logSameUntil(task: Task, now?: number): number {
    return logSameUntil(task, this.#pointOf(task, now))
  }

  /**
   * The parts of a task's output that are ready. A task that fails or is canceled keeps the parts that it had.
   * @param from the number of parts to omit
   * @returns a promise only if the result must be produced first
   */
  outputsOf(task: Task, from = 0): Awaitable<readonly OutputPart[]> {
    return after(this.partsOf(task), (parts) => {
      const ready = readyOf(countOf(parts), this.of(task))
      return Array.from({ length: Math.max(0, ready - from) }, (_, index) =>
        partAt(task, parts, from + index),
      )
    })
  }

  /** The number of files of a task that are ready. */
  filesOf(task: Task): Awaitable<number> {
    if (task.result !== undefined) return task.result.files
    return after(this.partsOf(task), ({ files }) => readyOf(files, this.of(task)))
  }

  /** All parts of a task's output, ready or not. It has none if its result cannot be produced. */
  partsOf(task: Task): Awaitable<OutputParts> {
    return after(this.historyOf(task), ({ parts }) => parts)
  }

  /**
   * The result of a task that has not ended, as far as its parts are ready.
   * @returns a promise only if the result must be produced first
   */
  partialResultOf(task: Task, now?: number): Awaitable<Result | undefined> {
    return after(this.historyOf(task), ({ parts, resultWith }) =>
      resultWith(readyOf(countOf(parts), this.of(task, now))),
    )
  }

  /** The output of a task, part by part. */
  historyOf(task: Task): Awaitable<OutputHistory> {
    return after(this.#tryToProduce(task), (production) => {
      if (production === undefined) return { parts: { files: 0, pieces: [] }, resultWith: () => undefined }
      const parts = this.#partsIn(production)
      return { parts, resultWith: (ready: number) => partialResult(production, parts, ready) }
    })
  }

  /** Whether a task shows more than a client has seen. */
  showsMore(task: Task, parts: OutputParts, { status = task.status, logs, outputs }: Seen): boolean {
    if (status !== task.status) return true
    if (logs !== undefined && this.logsOf(task).length > logs) return true
    return outputs !== undefined && readyOf(countOf(parts), this.of(task)) > outputs
  }

  /**
   * When a task will show more than a client has seen, unless it ends before that.
   * @returns epoch milliseconds, later than now; undefined if it is not known, because it ends at a poll or has not
   * started
   */
  nextInstant(task: Task, parts: OutputParts, { logs, outputs }: Seen): number | undefined {
    const line = logs === undefined ? undefined : progressOfLine(task, logs)
    const count = countOf(parts)
    const instants = [
      line === undefined ? undefined : instantOf(task, line),
      outputs !== undefined && outputs < count ? instantOf(task, (outputs + 1) / count) : undefined,
    ].filter((at) => at !== undefined)
    return instants.length === 0 ? undefined : Math.max(Math.min(...instants), this.#clock.now() + 1)
  }

  /** A task whose result cannot be produced fails at its end, which also reports the reason. */
  #tryToProduce(task: Task): Awaitable<Production | undefined> {
    const { results } = this.#tasks
    try {
      const production = results.produce(task)
      results.keep(task, production)
      return isPromise(production) ? production.then(undefined, () => undefined) : production
    } catch {
      return undefined
    }
  }

  #partsIn(production: Production): OutputParts {
    const known = this.#outputs.get(production) ?? partsOf(production)
    this.#outputs.set(production, known)
    return known
  }

  #pointOf({ id }: Task, now = this.#clock.now()): ProgressPoint {
    return { now, polls: this.#tasks.pollsOf(id) }
  }
}

/**
 * The result of a task as far as its parts are ready: the first files, or the beginning of the text.
 * @param ready the number of these parts
 * @returns undefined if no part is ready, or if the scenario replaces the output of files
 */
export function partialResult(
  { result, text = '' }: Production,
  parts: OutputParts,
  ready: number,
): Result | undefined {
  if (ready === 0) return undefined
  if (parts.files > 0) return result.output === undefined ? { files: ready, output: undefined } : undefined
  const beginning = parts.pieces.slice(0, ready).join('')
  return result.output && { files: 0, output: withText(result.output, text, beginning) }
}

/** Replaces a text in an output. */
function withText<Value extends JsonValue | JsonObject>(value: Value, text: string, other: string): Value {
  if (value === text) return other as Value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inner) => withText(inner, text, other)) as Value
  const fields = Object.entries(value as JsonObject)
  return Object.fromEntries(fields.map(([name, inner]) => [name, withText(inner, text, other)])) as Value
}
