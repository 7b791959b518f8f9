import { z } from 'zod'
import { FAULT_STATUSES, FAULT_WORDS, type Fault, readStep, type Step } from '../traffic/fault.js'
import { SERVICE_OPERATIONS } from '../traffic/operations.js'
import { spread } from './schema-delay.js'
import { closed, duration, isPossible, oneOf, orElse, ruleName } from './schema-parts.js'
import { ofOccasion, ofTask, RAMP_HAS_NO_END, rampEnds } from './schema-when.js'
import { list, nearest } from './suggest.js'

const operation = oneOf(SERVICE_OPERATIONS)

/** Which operations; those on tasks, unless given. */
export const operations = orElse(
  `expected ${list(SERVICE_OPERATIONS)}, or a list of them`,
  operation,
  z.array(operation).min(1),
)
  .optional()
  .meta({ description: 'The operation, or a list; every operation on tasks unless given' })

/** A header of an answer, but none that says how its body is to be read from the wire. */
const HEADER =
  /^(?!(?:content-length|transfer-encoding|connection|keep-alive|upgrade|trailer|x-request-id)$)[!#$%&'*+.^_`|~\w-]+$/i

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
const fault = closed({
  status: z
    .int()
    .min(FAULT_STATUSES.min)
    .max(FAULT_STATUSES.max)
    .optional()
    .meta({ description: 'What the request is rejected with, in place of the operation' }),
  code: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'The code in the rejection; the usual one of the status unless given' }),
  message: z.string().optional().meta({ description: 'The sentence in the rejection' }),
  retry_after: orElse(
    'expected a duration such as 5s, or { date: 5s }',
    duration,
    closed({ date: duration.meta({ description: 'The time from now to the date' }) }),
  )
    .optional()
    .meta({ description: 'What Retry-After says: in seconds, or as a date' }),
  headers: z
    .record(
      z
        .string()
        .regex(HEADER, { error: () => 'expected the name of a header that is not of the connection itself' }),
      z.string().regex(/^[\t\x20-\x7e]*$/, { error: () => 'expected printable ASCII' }),
    )
    .optional()
    .meta({ description: 'Put into the answer' }),
  delay: spread.optional().meta({ description: 'How long the first byte is held back' }),
  reset: oneOf(['before', 'during', 'after'])
    .optional()
    .meta({ description: 'The connection ends before, during or after the headers' }),
  cut: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: 'The connection ends after this share of the body' }),
  hang: z.literal(true).optional().meta({ description: 'There is no answer until the client gives up' }),
  body: oneOf(['empty', 'invalid_json', 'html', 'duplicate_status']).optional().meta({
    description:
      "What takes the place of the body: nothing, two thirds of it, a proxy's page, or itself with two `status` members",
  }),
  content_type: z
    .string()
    .regex(/^[\x20-\x7e]+$/, { error: () => 'expected printable ASCII, such as text/plain' })
    .optional()
    .meta({ description: 'What the answer says it is' }),
  bytes_per_second: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'How slowly the body comes, by the clock' }),
  stale: z.literal(true).optional().meta({ description: 'The answer is the last one about this task' }),
  patch: z
    .record(z.string(), z.json())
    .optional()
    .meta({ description: 'Merged into the task that is shown, such as { status: success }; null removes' }),
  executed: z
    .boolean()
    .optional()
    .meta({ description: 'true: the operation is carried out, though its answer is lost' }),
}).check(isPossible(contradiction))

const words = Object.keys(FAULT_WORDS) as (keyof typeof FAULT_WORDS)[]
const STEP_FORM = `expected a status from ${FAULT_STATUSES.min} to ${FAULT_STATUSES.max}, ${list(words)}, or a mapping such as { status: 503, retry_after: 5s }`

/** A fault, as a status, a word or in full. */
const step = orElse(
  STEP_FORM,
  z
    .int()
    .min(FAULT_STATUSES.min, { error: () => STEP_FORM })
    .max(FAULT_STATUSES.max, { error: () => STEP_FORM })
    .transform((status): Step => ({ status })),
  z
    .enum(words, { error: ({ input }) => nearest(String(input), words) ?? STEP_FORM })
    .transform((word) => readStep(word) as Step),
  fault,
)

/** One way in which requests go wrong. */
export const faultRule = closed({
  name: ruleName,
  when: closed({
    operation: operations,
    method: oneOf(['GET', 'HEAD', 'POST']).optional().meta({ description: 'The method of the request' }),
    ...ofTask,
    ...ofOccasion,
  })
    .refine(rampEnds, RAMP_HAS_NO_END)
    .optional()
    .meta({ description: 'All that is given must hold; nothing given matches every request on tasks' }),
  then: orElse(STEP_FORM, step, z.array(step).min(1)).meta({
    description: 'A fault, or a list: one for each request that matches, and then none',
  }),
}).refine(({ when, then }) => !Array.isArray(then) || when?.nth === undefined, {
  message: 'a list of faults counts requests itself: leave out `nth`, or give one fault',
  path: ['when'],
})
