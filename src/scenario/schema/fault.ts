import * as v from 'valibot'
import { FAULT_STATUSES, FAULT_WORDS, type Fault, readStep, type Step } from '../../engine/requests/fault.js'
import { SERVICE_METHODS, SERVICE_OPERATIONS } from '../../engine/requests/operations.js'
import { list, nearest } from '../../engine/suggest.js'
import { STATUSES } from '../../engine/tasks/task.js'
import { spread } from './delay.js'
import { anyOf, byName, closed, jsonObject } from './forms.js'
import { addedHeader, contentType, headerText } from './names.js'
import {
  asWord,
  checkFields,
  described,
  duration,
  integerFrom,
  nonEmptyList,
  oneOf,
  onlyTrue,
  optional,
  ruleName,
  share,
  text,
} from './parts.js'
import { checkRampEnd, frequencyConditions, taskConditions } from './when.js'

const operation = oneOf(SERVICE_OPERATIONS)

/** The operations of a rule or limit; by default, every operation on tasks. */
export const operations = optional(
  anyOf(`expected ${list(SERVICE_OPERATIONS)}, or a list of them`, operation, nonEmptyList(operation)),
  'The operation or a list of operations. The default is every operation on tasks',
)

/** Fields that require a response, a body, or a task in the body. */
const RESPONSE_FIELDS = ['status', 'code', 'message', 'retry_after', 'headers', 'content_type'] as const
const BODY_FIELDS = ['body', 'bytes_per_second', 'cut', 'stale', 'patch'] as const
const TASK_FIELDS = ['stale', 'patch'] as const

/** Explains which fields of a fault exclude each other. Returns undefined if none do. */
function contradiction(fault: Fault): string | undefined {
  const { hang, reset, status, body, executed } = fault
  const has = (...names: readonly (keyof Fault)[]) => names.find((name) => fault[name] !== undefined)
  if (Object.keys(fault).length === 0)
    return 'the fault is empty: set `status`, `delay`, `reset` or another field'
  if (hang && reset !== undefined) return '`hang` and `reset` exclude each other: set one of them'
  const cause = hang ? 'hang' : reset === 'before' || reset === 'during' ? 'reset' : undefined
  const ineffective = cause === undefined ? undefined : has(...RESPONSE_FIELDS, ...BODY_FIELDS)
  if (ineffective !== undefined)
    return `\`${ineffective}\` has no effect with \`${cause}\`, which sends no response: remove one of them`
  const bodyField = reset === 'after' ? has(...BODY_FIELDS) : undefined
  if (bodyField !== undefined)
    return `\`${bodyField}\` has no effect with \`reset: after\`, which sends no body: remove one of them`
  const taskField = has(...TASK_FIELDS)
  if (status !== undefined && taskField !== undefined)
    return `\`${taskField}\` has no effect with \`status\`, which replaces the task: remove one of them`
  if ((body === 'html' || body === 'empty') && taskField !== undefined)
    return `\`${taskField}\` has no effect with \`body: ${body}\`, which replaces the task: remove one of them`
  const errorField = has('code', 'message', 'retry_after')
  if (status === undefined && errorField !== undefined) return `\`${errorField}\` needs a \`status\``
  if (executed !== undefined && status === undefined && cause === undefined)
    return '`executed` needs a fault that replaces the response: `status`, `hang`, `reset: before` or `reset: during`'
  return undefined
}

/** A fault as a mapping. */
export const fault = v.pipe(
  closed('Fault', {
    status: optional(
      integerFrom(FAULT_STATUSES.min, FAULT_STATUSES.max),
      'Rejects the request with this status. The operation runs only with `executed`',
    ),
    code: optional(text, 'The error code of the rejection. The default depends on the status'),
    message: optional(v.string(), 'The error message of the rejection'),
    retry_after: optional(
      anyOf(
        'expected a duration such as 5s, or { date: 5s }',
        duration,
        closed({ date: described(duration, 'The time until the date') }),
      ),
      'The value of Retry-After, in seconds or as a date',
    ),
    headers: optional(byName(addedHeader, headerText), 'Headers to add to the response'),
    delay: optional(spread, 'The delay of the first byte'),
    reset: optional(
      oneOf(['before', 'during', 'after']),
      'When the connection closes: before, during or after the headers',
    ),
    cut: optional(share, 'The share of the body after which the connection closes'),
    hang: optional(onlyTrue, 'true: the server never responds'),
    body: optional(
      oneOf(['empty', 'invalid_json', 'html', 'duplicate_status']),
      'The new body: none, the first two thirds, the HTML page of a proxy, or the same body with two `status` members',
    ),
    content_type: optional(contentType, 'The Content-Type of the response'),
    bytes_per_second: optional(integerFrom(1), 'The transfer rate of the body, in simulated time'),
    stale: optional(
      onlyTrue,
      'true: shows the task as the client last saw it. Affects tasks.retrieve and tasks.result',
    ),
    patch: optional(
      jsonObject,
      'Fields to merge into the task in the response, such as { status: success }. null removes a field',
    ),
    executed: optional(
      v.boolean(),
      'true: the operation runs, although the client does not get its response',
    ),
  }),
  checkFields(contradiction),
)

const words = Object.keys(FAULT_WORDS) as (keyof typeof FAULT_WORDS)[]
const STEP_FORM = `expected a status from ${FAULT_STATUSES.min} to ${FAULT_STATUSES.max}, ${list(words)}, or a mapping such as { status: 503, retry_after: 5s }`

/** A fault: a status, a word or a mapping. */
const step = anyOf(
  STEP_FORM,
  v.pipe(
    v.number(),
    v.safeInteger(),
    v.minValue(FAULT_STATUSES.min, STEP_FORM),
    v.maxValue(FAULT_STATUSES.max, STEP_FORM),
    v.transform((status): Step => ({ status })),
  ),
  v.pipe(
    v.picklist(words, ({ input }) => nearest(asWord(input), words) ?? STEP_FORM),
    v.transform((word) => readStep(word) as Step),
  ),
  fault,
)

/** A fault rule. */
export const faultRule = v.pipe(
  closed('FaultRule', {
    name: ruleName,
    when: optional(
      v.pipe(
        closed('FaultConditions', {
          operation: operations,
          method: optional(oneOf(SERVICE_METHODS), 'The method of the request'),
          task_status: optional(
            oneOf(STATUSES),
            'The status of the task before the request, in the words of the main API, whatever the dialect calls it',
          ),
          ...taskConditions,
          ...frequencyConditions,
        }),
        checkRampEnd(),
      ),
      'A request must meet all conditions. Without conditions, every request on tasks matches',
    ),
    then: described(
      anyOf(STEP_FORM, step, nonEmptyList(step)),
      'A fault, or a list with one fault for each matching request. Later requests have none',
    ),
  }),
  checkFields(
    ({ when, then }) =>
      Array.isArray(then) && when?.nth !== undefined
        ? 'a list of faults already counts requests: remove `nth`, or use one fault'
        : undefined,
    'when',
  ),
)
