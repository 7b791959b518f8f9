import { z } from 'zod'
import { FAULT_STATUSES, FAULT_WORDS, type Fault, readStep, type Step } from '../traffic/fault.js'
import { SERVICE_OPERATIONS } from '../traffic/operations.js'
import { spread } from './schema-delay.js'
import { closed, duration, oneOf, orElse } from './schema-parts.js'
import { ofOccasion, ofTask, RAMP_HAS_NO_END, rampEnds } from './schema-when.js'
import { list } from './suggest.js'

const operation = oneOf(SERVICE_OPERATIONS)

/** Which operations; those on tasks, unless given. */
export const operations = orElse(
  `expected ${list(SERVICE_OPERATIONS)}, or a list of them`,
  operation,
  z.array(operation).min(1),
)
  .optional()
  .meta({ description: 'The operation, or a list; every operation on tasks unless given' })

const HEADER = /^[!#$%&'*+.^_`|~\w-]+$/

const WHOLE_ANSWER = ['body', 'content_type', 'bytes_per_second', 'headers', 'cut'] as const
const OWN_ANSWER = ['stale', 'patch'] as const

/** What of a fault cannot go together, said as a person would. */
function contradiction(fault: Fault): string | undefined {
  const given = Object.keys(fault)
  const has = (...names: readonly string[]) => names.find((name) => given.includes(name))
  if (given.length === 0)
    return 'a fault with nothing in it does nothing: give a `status`, `delay`, `reset` ...'
  const end = fault.hang === true ? 'hang' : fault.reset === undefined ? undefined : 'reset'
  const unsent = fault.reset === 'after' ? has('body', 'bytes_per_second', 'cut') : has(...WHOLE_ANSWER)
  if (end !== undefined && unsent !== undefined)
    return `\`${unsent}\` cannot go with \`${end}\`, which sends no body`
  if (fault.hang && fault.reset !== undefined) return '`hang` cannot go with `reset`: give one of them'
  const own = has(...OWN_ANSWER)
  if (fault.status !== undefined && own !== undefined)
    return `\`${own}\` cannot go with \`status\`, which answers in place of the task`
  const worded = has('code', 'message', 'retry_after')
  if (fault.status === undefined && worded !== undefined) return `\`${worded}\` needs a \`status\``
  if (fault.executed === false && (fault.status ?? end) === undefined)
    return '`executed: false` needs a `status`, `reset` or `hang`, which take the place of the answer'
  return undefined
}

/** One fault in full. */
const fault = closed({
  status: z.int().min(FAULT_STATUSES.min).max(FAULT_STATUSES.max).optional(),
  code: z.string().min(1).optional(),
  message: z.string().optional(),
  retry_after: orElse('expected a duration such as 5s, or { date: 5s }', duration, closed({ date: duration }))
    .optional()
    .meta({ description: 'What Retry-After says: in seconds, or as a date' }),
  headers: z
    .record(
      z.string().regex(HEADER, { error: () => 'expected the name of a header' }),
      z.string().regex(/^[\t\x20-\x7e]*$/, { error: () => 'expected printable ASCII' }),
    )
    .optional(),
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
  body: oneOf(['empty', 'invalid_json', 'html', 'duplicate_status']).optional(),
  content_type: z.string().min(1).optional(),
  bytes_per_second: z.int().min(1).optional(),
  stale: z.literal(true).optional().meta({ description: 'The answer is the last one about this task' }),
  patch: z
    .record(z.string(), z.json())
    .optional()
    .meta({ description: 'Merged into the task that is shown, such as { status: success }; null removes' }),
  executed: z
    .boolean()
    .optional()
    .meta({ description: 'true: the operation is carried out, though its answer is lost' }),
}).superRefine((value, context) => {
  const message = contradiction(value)
  if (message !== undefined) context.addIssue({ code: 'custom', message, input: value })
})

const words = Object.keys(FAULT_WORDS)
const STEP_FORM = `expected a status from ${FAULT_STATUSES.min} to ${FAULT_STATUSES.max}, ${list(words)}, or a mapping such as { status: 503, retry_after: 5s }`

/** A fault, as a status, a word or in full. */
const step = orElse(
  STEP_FORM,
  z
    .int()
    .min(FAULT_STATUSES.min)
    .max(FAULT_STATUSES.max)
    .transform((status): Step => ({ status })),
  oneOf(Object.keys(FAULT_WORDS) as (keyof typeof FAULT_WORDS)[]).transform((word) => readStep(word) as Step),
  fault,
)

/** One way in which requests go wrong. */
export const faultRule = closed({
  name: z.string().min(1).optional(),
  when: closed({
    operation: operations,
    method: oneOf(['GET', 'HEAD', 'POST']).optional(),
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
