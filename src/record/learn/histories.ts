import type { JsonObject } from '../../engine/json.js'
import { maskPatterns } from '../../engine/secret-patterns.js'
import { Planner } from '../../engine/tasks/planner.js'
import { DEFAULT_TASK_ERROR, type Status } from '../../engine/tasks/task.js'
import { kindNamed } from '../../kinds/built-in-kinds.js'
import { builtInKinds } from '../../kinds/produce.js'
import { shippedScenario } from '../../scenario/shipped.js'
import type { ObservedTask } from '../history/observed-task.js'
import { OutputSamples } from './output.js'
import { PricedTasks } from './price/priced-tasks.js'

/** The tasks of a history, by model and by kind. */
export class Histories {
  readonly #planner = new Planner(shippedScenario('default'), builtInKinds)
  readonly #models = new Map<string, ModelHistory>()
  readonly #kinds = new Map<string, Tally>()
  from = Infinity
  to = -Infinity

  /** The models by id. */
  get models(): ModelHistory[] {
    return sorted(this.#models)
  }

  /** The kinds by name. Each has the tasks of all its models. */
  get kinds(): Tally[] {
    return sorted(this.#kinds)
  }

  add(task: ObservedTask): void {
    const model = this.#modelOf(task)
    model.add(task)
    this.#kindOf(model.kind).add(task)
    this.from = Math.min(this.from, task.createdAt)
    this.to = Math.max(this.to, task.createdAt)
  }

  /** The first task of a model decides its kind, as long as the source does not name one. */
  #modelOf({ model, kind, input }: ObservedTask): ModelHistory {
    let history = this.#models.get(model)
    if (history === undefined) {
      const isKnown = kind !== undefined && kindNamed(kind) !== undefined
      history = new ModelHistory(model, isKnown ? kind : this.#guess(model, input ?? {}))
      this.#models.set(model, history)
    }
    return history
  }

  #guess(model: string, input: JsonObject): string {
    return this.#planner.baseOf(this.#planner.kindOf(model, input))
  }

  #kindOf(kind: string): Tally {
    const tally = this.#kinds.get(kind) ?? new Tally(kind, kind)
    this.#kinds.set(kind, tally)
    return tally
  }
}

function sorted<Value>(values: ReadonlyMap<string, Value>): Value[] {
  return [...values].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value)
}

/** What the history of one model shows. Times are epoch milliseconds; NaN: unknown. */
export class ModelHistory {
  readonly tally: Tally
  readonly created = new Column()
  readonly started = new Column()
  readonly ended = new Column()
  /** 1 if the task succeeded or failed, so that its duration says how long processing takes. */
  readonly completed = new Column()

  constructor(model: string, kind: string) {
    this.tally = new Tally(model, kind)
  }

  get model(): string {
    return this.tally.name
  }

  get kind(): string {
    return this.tally.kind
  }

  add(task: ObservedTask): void {
    this.tally.add(task)
    this.created.add(task.createdAt)
    this.started.add(task.startedAt ?? Number.NaN)
    this.ended.add(task.endedAt ?? Number.NaN)
    // How long a task ran says nothing if it is not known how it ended.
    const isCompleted = task.status === 'succeeded' || task.status === 'failed'
    this.completed.add(isCompleted && task.unknownWord === undefined ? 1 : 0)
  }
}

/** How many tasks a history has, by how they ended. */
export interface TaskCounts {
  readonly all: number
  readonly succeeded: number
  readonly failed: number
  readonly canceled: number
  /** Queued or processing when the history was taken. */
  readonly unfinished: number
  /** How many ended with each word that the dialect does not know. They count neither as failed nor as successful. */
  readonly unknown: Readonly<Record<string, number>>
}

/** In characters. */
const LONGEST_WORD = 60

/** Counts the tasks of a model, or of a kind, with their errors and costs. */
export class Tally {
  readonly errors = new ErrorCounts()
  readonly outputs = new OutputSamples()
  readonly priced: PricedTasks
  readonly #counts = new Map<Status, number>()
  readonly #unknown = new Map<string, number>()

  /** @param name the id of the model, or the name of the kind */
  constructor(
    readonly name: string,
    readonly kind: string,
  ) {
    this.priced = new PricedTasks(kind)
  }

  add(task: ObservedTask): void {
    if (task.unknownWord !== undefined) {
      const word = task.unknownWord.slice(0, LONGEST_WORD)
      this.#unknown.set(word, (this.#unknown.get(word) ?? 0) + 1)
      return
    }
    this.priced.add(task)
    this.outputs.add(task)
    this.#counts.set(task.status, this.#count(task.status) + 1)
    if (task.status === 'failed') this.errors.add(task.error ?? { message: '' })
  }

  get counts(): TaskCounts {
    const [succeeded, failed, canceled] = [
      this.#count('succeeded'),
      this.#count('failed'),
      this.#count('canceled'),
    ]
    const unfinished = this.#count('queued') + this.#count('processing')
    const others = [...this.#unknown.values()].reduce((sum, count) => sum + count, 0)
    return {
      all: succeeded + failed + canceled + unfinished + others,
      ...{ succeeded, failed, canceled, unfinished },
      unknown: Object.fromEntries(this.#unknown),
    }
  }

  #count(status: Status): number {
    return this.#counts.get(status) ?? 0
  }
}

/** A list of numbers that takes eight bytes a number. */
export class Column {
  #values = new Float64Array(64)
  #length = 0

  get length(): number {
    return this.#length
  }

  add(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(2 * this.#length)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.#length++] = value
  }

  /** The numbers in the order in which they were added; a view, which the next `add` may detach. */
  get values(): Float64Array {
    return this.#values.subarray(0, this.#length)
  }
}

/** An error of failed tasks, and how many had it. */
export interface CountedError {
  readonly code: string
  /** Its most frequent message. */
  readonly message: string
  readonly count: number
}

/** Further codes count as others, so that a service with an id in each code takes no more memory. */
const MAX_CODES = 200
const MAX_MESSAGES = 20
const MAX_LISTED = 10
const LONGEST_MESSAGE = 300

/** Counts the errors of failed tasks. */
class ErrorCounts {
  readonly #codes = new Map<string, Map<string, number>>()
  readonly #counts = new Map<string, number>()
  #total = 0

  /** Adds the error of a failed task. */
  add({ code, message }: { readonly code?: string | undefined; readonly message: string }): void {
    this.#total += 1
    const name = code ?? DEFAULT_TASK_ERROR.code
    if (!this.#counts.has(name) && this.#counts.size >= MAX_CODES) return
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    const messages = this.#codes.get(name) ?? new Map<string, number>()
    this.#codes.set(name, messages)
    const text = withoutSecrets(message)
    if (messages.has(text) || messages.size < MAX_MESSAGES) messages.set(text, (messages.get(text) ?? 0) + 1)
  }

  /** The most frequent errors, most frequent first. */
  get listed(): CountedError[] {
    return [...this.#counts]
      .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
      .slice(0, MAX_LISTED)
      .map(([code, count]) => ({ code, count, message: mostFrequent(this.#codes.get(code) ?? new Map()) }))
  }

  /** How many failures had other errors. */
  get unlisted(): number {
    return this.#total - this.listed.reduce((sum, { count }) => sum + count, 0)
  }
}

function mostFrequent(counts: ReadonlyMap<string, number>): string {
  const [first] = [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
  return first?.[0] ?? ''
}

/** URLs, quoted texts, which may be prompts, and long words with digits, which may be ids or keys. */
const SECRETS = /https?:\/\/\S+|"[^"]*"|“[^”]*”|(?=[\w-]*\d)[\w-]{16,}/g

/** A message without parts that may be secret or that differ from task to task. */
function withoutSecrets(message: string): string {
  return maskPatterns(message).replace(SECRETS, '…').slice(0, LONGEST_MESSAGE)
}
