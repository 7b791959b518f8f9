import { UsageError } from '../../../engine/errors.js'
import type { JsonObject, JsonValue } from '../../../engine/json.js'
import { SERVICE_OPERATIONS } from '../../../engine/requests/operations.js'
import { OUTCOMES } from '../../../engine/tasks/task.js'
import { EVENT_NAMES } from '../../../engine/webhooks/events/task-event.js'
import { type InputSchema, inputOf, type Tool, type ToolContext } from './tool.js'

const conditions: InputSchema['properties'] = {
  model: { type: 'string', description: 'Only for this model; * matches any characters' },
  kind: { type: 'string', description: 'Only for models of this kind, such as video' },
  dialect: { type: 'string', description: 'Only for requests in this wire format, such as openai' },
  input: {
    type: 'object',
    description:
      'Only for inputs with these fields, by name or path: a value to equal, {"matches": "regular expression"}, or {"min", "max"}',
    examples: [{ prompt: { matches: 'lighthouse' } }],
  },
}

const times = (what: string) => ({
  times: {
    type: 'integer',
    minimum: 0,
    default: 1,
    description: `${what}; 0 means all of them`,
  },
})

const REMOVAL = 'It stays until set_scenario or reset_simulator removes it.'

/** The tools that make the simulator fail: each adds a rule to the active scenario, before all others. */
export const CASE_TOOLS: readonly Tool[] = [
  {
    name: 'fail_requests',
    title: 'Make the next requests fail',
    effect: 'changes',
    operations: ['sim.scenario.patch'],
    description: `Make the next matching requests of the app fail, to test its error handling. ${REMOVAL} Then run the app, and read list_requests and get_findings.`,
    input: inputOf(
      {
        operation: {
          type: 'string',
          enum: SERVICE_OPERATIONS,
          description: 'The operation that fails; tasks.retrieve is a poll',
        },
        fault: {
          type: ['integer', 'string', 'object'],
          description:
            'A status from 400 to 599, or one of: reset (connection reset, not executed), lost (executed, but the answer is lost), hang (never answers, not executed), unanswered (executed, but never answers), cut, empty, invalid_json, html, wrong_type, stale (the task as the client last saw it); or an object with fields such as status, code, message, retry_after, delay, headers. See read_docs, page `faults`',
          examples: [503, 'lost', { status: 429, retry_after: '5s' }],
        },
        ...times('How many of the next matching requests fail'),
        per: {
          type: 'string',
          enum: ['task', 'key'],
          description: 'Count `times` separately for each task or API key',
        },
        ...conditions,
      },
      ['operation', 'fault'],
    ),
    async run({ fault, times, per, ...when }, context) {
      const nth = countOf(times)
      const rule = {
        when: { ...when, ...nth, ...(per !== undefined && nth !== undefined && { per }) },
        then: statusOf(fault),
      }
      return addCase(context, 'fail_requests', (name) => ({ faults: [{ name, ...rule }] }), {
        directive: typeof fault === 'object' ? undefined : `X-Sim: fault=${fault}`,
      })
    },
  },
  {
    name: 'fail_tasks',
    title: 'Make tasks fail',
    effect: 'changes',
    operations: ['sim.scenario.patch'],
    description: `Make tasks that the app creates from now on fail, be canceled or never end. The create request succeeds; the app sees the outcome when it polls, or in a webhook. ${REMOVAL}`,
    input: inputOf({
      outcome: {
        type: 'string',
        enum: OUTCOMES,
        default: 'failed',
        description: 'How the tasks end; `stuck` tasks never end',
      },
      error: {
        type: 'object',
        description: 'The error of failed tasks: a `code`, and a `message`',
        examples: [{ code: 'content_policy', message: 'The prompt was rejected.' }],
      },
      delay: { type: 'string', description: 'How long the tasks run', examples: ['2s'] },
      attempts: {
        type: 'integer',
        minimum: 0,
        default: 0,
        description:
          'How many of the first tasks with the same model and input are affected, so that a retry succeeds; 0 means all',
      },
      ...conditions,
    }),
    async run({ outcome = 'failed', error, delay, attempts, ...when }, context) {
      const first = wholeNumber('attempts', attempts, 0)
      const then = { outcome, ...(error !== undefined && { error }), ...(delay !== undefined && { delay }) }
      const occurrence = first > 0 ? { occurrence: { max: first } } : {}
      return addCase(
        context,
        'fail_tasks',
        (name) => ({ rules: [{ name, when: { ...when, ...occurrence }, then }] }),
        {
          directive: `X-Sim: ${directiveOf(then)}`,
        },
      )
    },
  },
  {
    name: 'break_webhooks',
    title: 'Make the next webhooks misbehave',
    effect: 'changes',
    operations: ['sim.scenario.patch'],
    description: `Duplicate, delay, lose, reorder or forge the next webhooks, to test the webhook handler of the app. ${REMOVAL} Then read list_deliveries and get_findings.`,
    input: inputOf(
      {
        fault: {
          type: ['string', 'object', 'array'],
          description:
            'One of: duplicate, duplicate_at_once, before_response, after_poll, out_of_order, lost, truncated, changed, extra_field, spaced, reordered, wrong_signature, no_signature, empty_signature, malformed_signature, previous_secret, old_timestamp; a list of them; or an object such as {"delay": "30s"}. See read_docs, page `webhooks`',
          examples: ['duplicate', { delay: '30s' }],
        },
        ...times('How many of the next matching webhooks misbehave'),
        event: { type: 'string', enum: EVENT_NAMES, description: 'Only this event' },
        receiver: { type: 'string', description: 'Only webhooks to this URL; * matches any characters' },
        ...conditions,
      },
      ['fault'],
    ),
    async run({ fault, times, ...when }, context) {
      const rule = { when: { ...when, ...countOf(times) }, then: fault ?? null }
      return addCase(context, 'break_webhooks', (name) => ({ webhooks: { faults: [{ name, ...rule }] } }), {
        directive: typeof fault === 'string' ? `X-Sim: webhook=${fault}` : undefined,
      })
    },
  },
  {
    name: 'patch_scenario',
    title: 'Override settings of the scenario',
    effect: 'changes',
    operations: ['sim.scenario.patch'],
    description:
      'Override some settings of the active scenario, as in a scenario file, such as {"kinds": {"image": {"delay": "10s"}}}. Its rules and faults come before the existing ones. For a single failing case, prefer fail_requests, fail_tasks and break_webhooks. read_docs with page `scenarios` explains the language.',
    input: inputOf(
      { settings: { type: 'object', description: 'The settings to override', examples: [{ seed: 7 }] } },
      ['settings'],
    ),
    run: ({ settings }, { session }) => session.call('PATCH', '/scenario', Object(settings)),
  },
]

/**
 * Adds a case to the active scenario.
 * @param directive a header with which a single request behaves like this
 */
async function addCase(
  { session }: ToolContext,
  tool: string,
  layerNamed: (name: string) => JsonObject,
  { directive }: { readonly directive: string | undefined },
): Promise<object> {
  const earlier = [...session.cases]
  const name = `${tool} ${earlier.length + 1}`
  const layer = layerNamed(name)
  await session.call('PATCH', '/scenario', layer)
  session.cases.add(name)
  return {
    added: layer,
    note: `The journal names the rule: ${name}.`,
    // A change of the scenario restarts all counts of its rules.
    ...(earlier.length > 0 && {
      also_active_again: earlier,
      to_have_only_this_case: 'Call set_scenario or reset_simulator, and then this tool again.',
    }),
    ...(directive !== undefined && { for_a_single_request_instead: directive }),
  }
}

/** A status that is a string, such as "503", is meant as a number. */
function statusOf(fault: JsonValue | undefined): JsonValue {
  return typeof fault === 'string' && /^\d{3}$/.test(fault) ? Number(fault) : (fault ?? null)
}

function countOf(times: JsonValue | undefined): { nth: { max: number } } | undefined {
  const max = wholeNumber('times', times, 1)
  return max === 0 ? undefined : { nth: { max } }
}

function wholeNumber(name: string, value: JsonValue | undefined, fallback: number): number {
  const number = value ?? fallback
  if (typeof number === 'number' && Number.isInteger(number) && number >= 0) return number
  throw new UsageError(`\`${name}\` must be a whole number from 0 up; got ${JSON.stringify(value)}.`)
}

function directiveOf({ outcome, error, delay }: JsonObject): string {
  const { code } = Object(error) as { code?: unknown }
  return [
    `outcome=${outcome}`,
    ...(code ? [`error=${code}`] : []),
    ...(delay ? [`after=${delay}`] : []),
  ].join(' ')
}
