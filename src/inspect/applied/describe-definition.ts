import { FAULT_WORDS } from '../../engine/requests/fault.js'
import { WEBHOOK_FAULT_WORDS } from '../../engine/webhooks/faults/webhook-fault.js'
import type { RuleList } from './application-counters.js'

/** A rule or fault of a scenario: its conditions and its effect. */
interface Definition {
  readonly when?: object | undefined
  readonly then?: unknown
}

const EVERY: Readonly<Record<RuleList, string>> = {
  rules: 'every task',
  faults: 'every request',
  'webhooks.faults': 'every webhook',
}

const WORDS: Readonly<Record<RuleList, object>> = {
  rules: {},
  faults: FAULT_WORDS,
  'webhooks.faults': WEBHOOK_FAULT_WORDS,
}

/** The fields whose numbers are milliseconds, at any depth. */
const DURATIONS: ReadonlySet<string> = new Set(['delay', 'queueing', 'retry_after', 'window'])
/** Their fields whose numbers are none. */
const PLAIN: ReadonlySet<string> = new Set(['polls', 'mu', 'sigma'])

/**
 * Describes a rule or fault in the words of a scenario file, such as `503 for tasks.retrieve, nth 2`.
 * @param list the list that contains it
 */
export function describeDefinition({ when = {}, then }: Definition, list: RuleList): string {
  const steps = [then].flat().map((step) => effectOf(step, WORDS[list]))
  const { operation, ...others } = when as { readonly operation?: unknown }
  const operations = operation === undefined ? [] : [[operation].flat().join(' or ')]
  const conditions = [...operations, ...fieldsOf(others)]
  return `${steps.join(', then ')} for ${conditions.length === 0 ? EVERY[list] : conditions.join(', ')}`
}

/** The word or the status of a fault, if it has one, or else its fields. */
function effectOf(step: unknown, words: object): string {
  if (typeof step !== 'object' || step === null) return String(step)
  const text = JSON.stringify(step)
  const word = Object.entries(words).find(([, meaning]) => JSON.stringify(meaning) === text)?.[0]
  if (word !== undefined) return word
  const { status, ...fields } = step as { readonly status?: unknown }
  return [...(status === undefined ? [] : [String(status)]), ...fieldsOf(fields)].join(', ')
}

/** The fields of a mapping with their values, such as `model acme/*` and `input.prompt matches waves`. */
function fieldsOf(mapping: object, path = '', isDuration = false): string[] {
  return Object.entries(mapping).flatMap(([name, value]): string[] => {
    if (value === undefined) return []
    const field = path === '' ? name : `${path}.${name}`
    const inMilliseconds = (isDuration || DURATIONS.has(name)) && !PLAIN.has(name)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return fieldsOf(value, field, inMilliseconds)
    return [`${field} ${typeof value === 'number' && inMilliseconds ? durationOf(value) : textOf(value)}`]
  })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function durationOf(milliseconds: number): string {
  return milliseconds % 1_000 === 0 ? `${milliseconds / 1_000}s` : `${milliseconds}ms`
}
