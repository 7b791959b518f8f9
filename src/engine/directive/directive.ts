import { DURATION_FORM, readDuration } from '../clock/durations.js'
import { FAULT_STATUSES, FAULT_WORDS, type Fault, readStep, type Step } from '../requests/fault.js'
import { list, suggest } from '../suggest.js'
import { OUTCOMES, type Outcome, type Plan, type TaskError } from '../tasks/task.js'
import {
  combined,
  contradictionIn,
  readWebhookFault,
  WEBHOOK_FAULT_WORDS,
  type WebhookFault,
} from '../webhooks/faults/webhook-fault.js'

/** The parts of the scenario that one request overrides. An undefined field overrides nothing. */
export interface Directive {
  readonly plan: PlanOverride
  /** The faults of the request itself, one for each time that the client sends it. */
  readonly fault: readonly Step[] | undefined
  /** The fault of the task's webhooks. */
  readonly webhookFault: WebhookFault | undefined
}

/** The parts of a task's plan that a directive overrides. */
export interface PlanOverride {
  readonly outcome: Outcome | undefined
  readonly error: Partial<TaskError>
  readonly end: Plan['end'] | undefined
  /** US dollars, if the task succeeds. */
  readonly cost: number | undefined
  /** The factor of the duration; only explorations have one. */
  readonly slower?: number | undefined
  /** The number of pictures or videos, in place of the ordered one; only explorations have one. */
  readonly files?: number | undefined
}

/** The values of a directive, by key. */
interface Pairs {
  outcome?: Outcome
  /** The code of the task's error. */
  error?: string
  message?: string
  /** Milliseconds of processing. */
  after?: number
  /** The poll at which the task ends. */
  polls?: number
  cost?: number
  fault?: readonly Step[]
  /** The wait in the Retry-After header of the rejections, in milliseconds. */
  retry_after?: number
  webhook?: WebhookFault
  webhook_delay?: number
}

type Key = keyof Pairs

interface Reader<Name extends Key> {
  /** Describes valid values in error messages. */
  readonly form: string
  /** Returns undefined for an invalid value. */
  readonly read: (value: string) => Pairs[Name] | undefined
}

/** The reader of each key. */
const READERS: { readonly [Name in Key]-?: Reader<Name> } = {
  outcome: { form: list(OUTCOMES), read: (value) => OUTCOMES.find((outcome) => outcome === value) },
  error: { form: 'a code such as content_policy', read: (value) => value || undefined },
  message: { form: 'a string such as "The prompt was rejected."', read: (value) => value },
  after: { form: DURATION_FORM, read: readDuration },
  polls: { form: 'a whole number from 1 to 1000000', read: wholeNumber },
  cost: { form: 'US dollars such as 0.25', read: dollars },
  fault: {
    form: `a status from ${FAULT_STATUSES.min} to ${FAULT_STATUSES.max}, ${list(Object.keys(FAULT_WORDS))}, or several, separated by commas: one for each time that the request is sent; 429*2 stands for two of them`,
    read: readSteps,
  },
  retry_after: { form: DURATION_FORM, read: readDuration },
  webhook: {
    form: `${list(Object.keys(WEBHOOK_FAULT_WORDS))}, or several that can be combined, separated by commas`,
    read: (value) => combineFaults(allDefined(value.split(',').map(readWebhookFault))),
  },
  webhook_delay: { form: DURATION_FORM, read: readDuration },
}

/** Thrown for an invalid directive. The message says what is wrong and what to write instead. */
export class DirectiveError extends Error {
  override readonly name = 'DirectiveError'
  /** The field of the input that holds the directive; undefined for the header. */
  readonly field: string | undefined

  constructor(message: string, field?: string) {
    super(message)
    this.field = field
  }
}

/** In characters. The regular expression could exhaust the stack on a longer text. */
const LONGEST_DIRECTIVE = 4_000
const PAIR = /\s*([^\s=]+)=("(?:[^"\\]|\\.)*"|[^\s"]*)(?=\s|$)/y

/**
 * Reads a directive: pairs of `key=value`, separated by spaces. A value with spaces needs double quotes.
 * @throws DirectiveError with the key and the value
 */
export function parseDirective(text: string): Directive {
  if (text.length > LONGEST_DIRECTIVE) {
    throw new DirectiveError(
      `It has ${text.length} characters, but the limit is ${LONGEST_DIRECTIVE}: shorten it`,
    )
  }
  const pairs: Pairs = {}
  const trimmed = text.trim()
  PAIR.lastIndex = 0
  for (let position = 0; position < trimmed.length; position = PAIR.lastIndex) {
    const match = PAIR.exec(trimmed)
    if (match === null) {
      const rest = quoted(trimmed.slice(position).trimStart())
      throw new DirectiveError(`Expected key=value, such as outcome=failed, got ${rest}`)
    }
    const [, key = '', value = ''] = match
    setPair(pairs, key, value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value)
  }
  return toDirective(pairs)
}

function setPair(pairs: Pairs, key: string, text: string): void {
  if (!Object.hasOwn(READERS, key)) {
    throw new DirectiveError(`Unknown key ${quoted(key)}; ${suggest(key.slice(0, 60), Object.keys(READERS))}`)
  }
  if (Object.hasOwn(pairs, key)) throw new DirectiveError(`The key \`${key}\` is given twice: give it once`)
  const { form, read } = READERS[key as Key]
  const value = read(text)
  if (value === undefined) throw new DirectiveError(`Expected \`${key}\` to be ${form}, got ${quoted(text)}`)
  Object.assign(pairs, { [key]: value })
}

function toDirective({ outcome, error, message, after, polls, cost, ...request }: Pairs): Directive {
  const isFailure = (error ?? message) !== undefined
  if (isFailure && outcome !== undefined && outcome !== 'failed')
    throw new DirectiveError('`error` and `message` need outcome=failed: only a failed task has an error')
  if (after !== undefined && polls !== undefined)
    throw new DirectiveError('`after` cannot be combined with `polls`: give one of them')
  const end = after !== undefined ? { after } : polls !== undefined ? { polls } : undefined
  return {
    plan: { outcome: isFailure ? 'failed' : outcome, error: errorOf(error, message), end, cost },
    fault: withRetryAfter(request),
    webhookFault: webhookFaultOf(request),
  }
}

function errorOf(code: string | undefined, message: string | undefined): Partial<TaskError> {
  return { ...(code !== undefined && { code }), ...(message !== undefined && { message }) }
}

/** Adds the wait to the faults that are statuses: other faults send no such header. */
function withRetryAfter({ fault, retry_after: wait }: Pairs): Directive['fault'] {
  if (wait === undefined) return fault
  if (fault?.some((step) => hasStatus(step)) !== true)
    throw new DirectiveError('`retry_after` needs a status in `fault`, such as fault=429')
  return fault.map((step) => (hasStatus(step) ? { ...step, retry_after: wait } : step))
}

function hasStatus(step: Step): step is Fault {
  return step !== 'pass' && step.status !== undefined
}

function webhookFaultOf({ webhook, webhook_delay: delay }: Pairs): WebhookFault | undefined {
  if (delay === undefined) return webhook
  const webhookFault = { ...webhook, delay }
  const contradiction = contradictionIn(webhookFault)
  if (contradiction !== undefined) throw new DirectiveError(`In \`webhook\`, ${contradiction}`)
  return webhookFault
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text)
}

/** All values, or undefined if one of them is undefined. */
function allDefined<Value>(values: readonly (Value | undefined)[]): readonly Value[] | undefined {
  return values.includes(undefined) ? undefined : (values as readonly Value[])
}

/** The most faults of one request. */
const MAX_STEPS = 1_000

/** Reads faults that are separated by commas, each with the number of its repetitions, if it has one. */
function readSteps(text: string): readonly Step[] | undefined {
  const steps = allDefined(text.split(',').map(readRepeated))?.flat()
  return steps === undefined || steps.length > MAX_STEPS ? undefined : steps
}

function readRepeated(text: string): readonly Step[] | undefined {
  const [, word = '', count] = /^([^*]+)(?:\*([1-9]\d{0,2}))?$/.exec(text) ?? []
  const step = readStep(word)
  if (step === undefined) return undefined
  // A single fault without a count applies every time; after a list, the request succeeds.
  return count === '1' ? [step, 'pass'] : Array.from({ length: Number(count ?? 1) }, () => step)
}

function combineFaults(parts: readonly WebhookFault[] | undefined): WebhookFault | undefined {
  const webhookFault = parts === undefined ? undefined : combined(parts)
  return typeof webhookFault === 'string' ? undefined : webhookFault
}

function wholeNumber(text: string): number | undefined {
  return /^[1-9]\d{0,5}$/.test(text) || text === '1000000' ? Number(text) : undefined
}

function dollars(text: string): number | undefined {
  return /^\d{1,6}(?:\.\d{1,6})?$/.test(text) ? Number(text) : undefined
}

/** Writes the values of a directive by key, as `parseDirective` reads them. Leaves out empty values. */
export function writeDirective(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .flatMap(([key, value = '']) => (value === '' ? [] : [`${key}=${quotedValue(value)}`]))
    .join(' ')
}

function quotedValue(value: string): string {
  return /[\s"]/.test(value) ? `"${value.replace(/[\\"]/g, '\\$&')}"` : value
}
