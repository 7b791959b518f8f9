import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { RecordedRejection, type RejectedAnswer } from '../../engine/tasks/recorded-answers.js'
import type { RecordedOrder, RecordedTasks } from '../../engine/tasks/recorded-tasks.js'
import { FILE_MARK, isTerminal, type Plan, type Status } from '../../engine/tasks/task.js'
import type { ObservedTask } from '../history/observed-task.js'
import type { OrderKeys } from './order-keys.js'
import { restoreInput } from './redacted-fields.js'
import { type ReplayContext, ReplayedTask } from './replayed-task.js'
import { bareUrl, rewrite } from './rewrite.js'
import { planTimes, type Rejection, type Trace, timelineOf } from './trace.js'

/** Turns the learned plan of an order into that of a recorded task. */
type PlanOf = (learned: Plan, input: JsonObject) => Plan

/** The name of the rule that applied to a task, in the log and in the control API. */
const RULES = { recorded: 'recorded', learned: 'learned' } as const

/** What happened to an order: its task, or its rejection. */
interface Outcome {
  /** The id of the task; undefined for a rejection. */
  readonly id?: string
  readonly planOf: PlanOf
  /** Whether a field that does not belong to the order may be the reason of a rejection. */
  readonly isOfRequest: boolean
}

/** The statuses of requests with an invalid form or field. */
const INVALID: readonly number[] = [400, 415, 422]

/** The tasks of a recording: the nth equal order gets the nth recorded one. */
export class Recorded implements RecordedTasks {
  readonly dialect: string
  readonly #keys: OrderKeys
  readonly #outcomes = new Map<string, Outcome[]>()

  constructor(dialect: string, keys: OrderKeys) {
    this.dialect = dialect
    this.#keys = keys
  }

  /** Adds a task. They come in the order of their create requests. */
  add(trace: Trace, task: ObservedTask, context: ReplayContext): void {
    const key = this.#keys.add(task.model, trace.input)
    this.#addOutcome(key, { id: task.id, planOf: planOf(trace, task, context), isOfRequest: false })
  }

  /** Adds a create request that the service has rejected, in the same order. */
  addRejection(rejection: Rejection, context: ReplayContext): void {
    const { model, input, answer } = rejection
    this.#addOutcome(this.#keys.add(model, input), {
      planOf(_, live) {
        throw new RecordedRejection(rejectedAnswer(rejection, context, live))
      },
      isOfRequest: INVALID.includes(answer.code),
    })
  }

  #addOutcome(key: string, outcome: Outcome): void {
    const outcomes = this.#outcomes.get(key) ?? []
    outcomes.push(outcome)
    this.#outcomes.set(key, outcomes)
  }

  identityOf(order: RecordedOrder): string | undefined {
    const key = this.#keyOf(order)
    return key === undefined ? undefined : `recorded ${key}`
  }

  planOf(order: RecordedOrder & { readonly occurrence: number }, learned: Plan): Plan {
    const recorded = this.#outcomesOf(this.#keyOf(order) ?? '')[order.occurrence - 1]
    return recorded?.planOf(learned, order.input) ?? { ...learned, rule: learned.rule ?? RULES.learned }
  }

  courseOf(order: RecordedOrder & { readonly id: string }, plan: Plan) {
    const outcomes = this.#outcomes.get(this.#keyOf(order) ?? '') ?? []
    return outcomes.find(({ id }) => id === order.id)?.planOf(plan, order.input).recorded
  }

  #keyOf({ dialect, model, input }: RecordedOrder): string | undefined {
    return dialect === this.dialect ? this.#keys.find(model, input) : undefined
  }

  /** If the service has accepted an order, it is valid, so another field of the request was the reason of a rejection. */
  #outcomesOf(key: string): readonly Outcome[] {
    const outcomes = this.#outcomes.get(key) ?? []
    const others = outcomes.filter(({ isOfRequest }) => !isOfRequest)
    return others.length === 0 ? outcomes : others
  }
}

function planOf(traced: Trace, task: ObservedTask, context: ReplayContext): PlanOf {
  const trace = withoutUnknownWords(traced, task)
  const timeline = timelineOf(task, trace.zero, trace.states)
  const marked = task.output && markFiles(task.output, trace.inputText)
  const files = marked?.files ?? []
  const { costUsd, unknownWord: endWord } = task
  const shared = new ReplayedTask({ trace, timeline, files, context, endWord })
  return (learned, input) => {
    const times = planTimes(timeline, learned, trace.isCanceled && task.status === 'canceled')
    const restore = restoreInput(trace.input, input, context.salt)
    return {
      ...learned,
      ...times,
      error: times.outcome === 'failed' ? errorOf(task, learned) : undefined,
      price: costUsd === undefined ? learned.price : { per_task: costUsd },
      output: marked?.output ?? learned.output,
      rule: RULES.recorded,
      recorded:
        restore === undefined
          ? shared
          : new ReplayedTask({ trace, timeline, files, context, endWord, restore }),
    }
  }
}

function errorOf({ error, unknownWord }: ObservedTask, learned: Plan): Plan['error'] {
  if (error === undefined && unknownWord !== undefined)
    return { code: 'generation_failed', message: `The task ended as ${JSON.stringify(unknownWord)}.` }
  return error === undefined
    ? learned.error
    : { code: error.code ?? 'generation_failed', message: error.message }
}

const NO_FILES: ReadonlyMap<string, number> = new Map()

/** Repeats the answer to a create request that the service has rejected. @param live the input of the request now */
function rejectedAnswer(
  { zero, input, inputText, answer }: Rejection,
  { bases, salt }: ReplayContext,
  live: JsonObject,
): RejectedAnswer {
  const restore = restoreInput(input, live, salt) ?? ((json) => json)
  return (now, baseOf) => {
    const own = { shift: now - zero, zero, bases, files: NO_FILES, input: inputText, baseOf, urlOf: () => '' }
    const values = Object.entries(answer.headers).map(([name, value]) => [name, rewrite(value, own)])
    return {
      code: answer.code,
      headers: Object.fromEntries(values),
      text: restore(rewrite(answer.text, own)),
    }
  }
}

/** An output with a placeholder for each file, and the URLs of the files, without query and fragment. */
interface MarkedOutput {
  readonly output: JsonObject
  readonly files: readonly string[]
}

/**
 * Finds the files in an output: all URLs that are not in the input.
 * @param input the JSON of the input
 */
function markFiles(output: JsonObject, input: string): MarkedOutput {
  const files: string[] = []
  const mark = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') {
      if (!/^https?:\/\//.test(value) || input.includes(JSON.stringify(value))) return value
      files.push(bareUrl(value))
      return FILE_MARK
    }
    if (Array.isArray(value)) return value.map(mark)
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mark(inner)]))
  }
  return { output: mark(output) as JsonObject, files }
}

/** What a recorded text shows: a state that is known, or a word that the dialect does not know. */
interface Shown {
  readonly at: number
  readonly status: Status | undefined
  readonly unknownWord?: string | undefined
}

/**
 * Decides what the unknown words in a trace mean. After the last state that is known not to be the end, they show the end
 * of the task. Before it, the task still runs.
 */
function withoutUnknownWords(trace: Trace, { status }: Pick<ObservedTask, 'status'>): Trace {
  const texts = [...trace.states, ...trace.answers, ...trace.items, ...trace.webhooks, ...createdIn(trace)]
  if (texts.every((text) => text.unknownWord === undefined)) return trace
  const isOpen = (state: Shown) => state.unknownWord === undefined && !isTerminal(state.status ?? 'queued')
  const lastOpen = trace.states.findLast(isOpen)?.at ?? -Infinity
  const decided = <Text extends Shown>(text: Text): Text => {
    if (text.unknownWord === undefined) return text
    return { ...text, status: text.at > lastOpen ? status : 'processing' }
  }
  return {
    ...trace,
    created: trace.created && decided(trace.created),
    states: trace.states.map(decided),
    answers: trace.answers.map(decided),
    items: trace.items.map(decided),
    webhooks: trace.webhooks.map(decided),
  }
}

function createdIn({ created }: Trace): readonly Shown[] {
  return created === undefined ? [] : [created]
}
