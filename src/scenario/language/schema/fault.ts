import * as v from 'valibot'
import {
  FAULT_STATUSES,
  FAULT_WORDS,
  type Fault,
  readStep,
  type Step,
} from '../../../engine/requests/fault.js'
import { SERVICE_OPERATIONS } from '../../../engine/requests/operations.js'
import { list, nearest } from '../../../engine/suggest.js'
import { spread } from './delay.js'
import { byName, closed, jsonObject, orElse } from './forms.js'
import {
  described,
  duration,
  isPossible,
  oneOf,
  optional,
  ruleName,
  share,
  some,
  text,
  textLike,
  wholeFrom,
  yes,
} from './parts.js'
import { ofOccasion, ofTask, rampEnds } from './when.js'

const operation = oneOf(SERVICE_OPERATIONS)

/** Which operations; those on tasks, unless given. */
export const operations = optional(
  orElse(`expected ${list(SERVICE_OPERATIONS)}, or a list of them`, operation, some(operation)),
  'The operation, or a list; every operation on tasks unless given',
)

/** What says how a body is to be read from the wire, and what every answer has of its own. */
const OF_CONNECTION = [
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'trailer',
  'x-request-id',
]
const HEADER_FORM = 'expected the name of a header that is not of the connection itself'
const header = v.pipe(
  textLike(/^[!#$%&'*+.^_`|~\w-]+$/, HEADER_FORM),
  v.check((name) => !OF_CONNECTION.includes(name.toLowerCase()), HEADER_FORM),
)

/** What can be seen of an answer only where one is sent, and only where its body is. */
const OF_ANSWER = ['status', 'code', 'message', 'retry_after', 'headers', 'content_type'] as const
const OF_BODY = ['body', 'bytes_per_second', 'cut', 'stale', 'patch'] as const
const OF_TASK = ['stale', 'patch'] as const

/** What of a fault cannot go together, said as a person would. */
function contradiction(fault: Fault): string | undefined {
  const { hang, reset, status, body, executed } = fault
  const has = (...names: readonly (keyof Fault)[]) => names.find((name) => fault[name] !== undefined)
  if (Object.keys(fault).length === 0)
    return 'a fault with nothing in it does nothing: give a `status`, `delay`, `reset` ...'
  if (hang && reset !== undefined) return '`hang` cannot go with `reset`: give one of them'
  const silence = hang ? 'hang' : reset === 'before' || reset === 'during' ? 'reset' : undefined
  const unseen = silence === undefined ? undefined : has(...OF_ANSWER, ...OF_BODY)
  if (unseen !== undefined) return `\`${unseen}\` cannot go with \`${silence}\`: no answer is sent`
  const lost = reset === 'after' ? has(...OF_BODY) : undefined
  if (lost !== undefined) return `\`${lost}\` cannot go with \`reset: after\`, which sends no body`
  const ofTask = has(...OF_TASK)
  if (status !== undefined && ofTask !== undefined)
    return `\`${ofTask}\` cannot go with \`status\`, which answers in place of the task`
  if ((body === 'html' || body === 'empty') && ofTask !== undefined)
    return `\`${ofTask}\` cannot go with \`body: ${body}\`, which takes the place of the task`
  const worded = has('code', 'message', 'retry_after')
  if (status === undefined && worded !== undefined) return `\`${worded}\` needs a \`status\``
  if (executed !== undefined && status === undefined && silence === undefined)
    return '`executed` needs a `status`, `hang`, or a `reset` before or during the headers, which take the place of the answer'
  return undefined
}

/** One fault in full. */
const fault = v.pipe(
  closed('Fault', {
    status: optional(
      wholeFrom(FAULT_STATUSES.min, FAULT_STATUSES.max),
      'What the request is rejected with, in place of the operation',
    ),
    code: optional(text, 'The code in the rejection; the usual one of the status unless given'),
    message: optional(v.string(), 'The sentence in the rejection'),
    retry_after: optional(
      orElse(
        'expected a duration such as 5s, or { date: 5s }',
        duration,
        closed({ date: described(duration, 'The time from now to the date') }),
      ),
      'What Retry-After says: in seconds, or as a date',
    ),
    headers: optional(
      byName(header, textLike(/^[\t\x20-\x7e]*$/, 'expected printable ASCII')),
      'Put into the answer',
    ),
    delay: optional(spread, 'How long the first byte is held back'),
    reset: optional(
      oneOf(['before', 'during', 'after']),
      'The connection ends before, during or after the headers',
    ),
    cut: optional(share, 'The connection ends after this share of the body'),
    hang: optional(yes, 'There is no answer until the client gives up'),
    body: optional(
      oneOf(['empty', 'invalid_json', 'html', 'duplicate_status']),
      "What takes the place of the body: nothing, two thirds of it, a proxy's page, or itself with two `status` members",
    ),
    content_type: optional(
      textLike(/^[\x20-\x7e]+$/, 'expected printable ASCII, such as text/plain'),
      'What the answer says it is',
    ),
    bytes_per_second: optional(wholeFrom(1), 'How slowly the body comes, by the clock'),
    stale: optional(yes, 'The answer is the last one about this task'),
    patch: optional(
      jsonObject,
      'Merged into the task that is shown, such as { status: success }; null removes',
    ),
    executed: optional(v.boolean(), 'true: the operation is carried out, though its answer is lost'),
  }),
  isPossible(contradiction),
)

const words = Object.keys(FAULT_WORDS) as (keyof typeof FAULT_WORDS)[]
const STEP_FORM = `expected a status from ${FAULT_STATUSES.min} to ${FAULT_STATUSES.max}, ${list(words)}, or a mapping such as { status: 503, retry_after: 5s }`

/** A fault, as a status, a word or in full. */
const step = orElse(
  STEP_FORM,
  v.pipe(
    v.number(),
    v.safeInteger(),
    v.minValue(FAULT_STATUSES.min, STEP_FORM),
    v.maxValue(FAULT_STATUSES.max, STEP_FORM),
    v.transform((status): Step => ({ status })),
  ),
  v.pipe(
    v.picklist(words, ({ input }) => nearest(String(input), words) ?? STEP_FORM),
    v.transform((word) => readStep(word) as Step),
  ),
  fault,
)

/** One way in which requests go wrong. */
export const faultRule = v.pipe(
  closed('FaultRule', {
    name: ruleName,
    when: optional(
      v.pipe(
        closed('FaultConditions', {
          operation: operations,
          method: optional(oneOf(['GET', 'HEAD', 'POST']), 'The method of the request'),
          ...ofTask,
          ...ofOccasion,
        }),
        rampEnds(),
      ),
      'All that is given must hold; nothing given matches every request on tasks',
    ),
    then: described(
      orElse(STEP_FORM, step, some(step)),
      'A fault, or a list: one for each request that matches, and then none',
    ),
  }),
  isPossible(
    ({ when, then }) =>
      Array.isArray(then) && when?.nth !== undefined
        ? 'a list of faults counts requests itself: leave out `nth`, or give one fault'
        : undefined,
    'when',
  ),
)
