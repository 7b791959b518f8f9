import * as v from 'valibot'
import { DURATION_FORM, type DurationText, readDuration } from '../../engine/clock/durations.js'
import { RUN_RESULTS } from '../../engine/exploration/run-result.js'
import type { JsonValue } from '../../engine/json.js'
import { suggest } from '../../engine/suggest.js'
import { STATUSES } from '../../engine/tasks/task.js'
import { percentileName } from './delay.js'
import { anyOf, byName, closed, jsonObject } from './forms.js'
import {
  checkBounds,
  described,
  duration,
  integerFrom,
  numberFrom,
  oneOf,
  optional,
  partOf,
  share,
  text,
} from './parts.js'

const MOMENT_FORM = `expected ${DURATION_FORM}`
const moment = v.pipe(
  v.string(MOMENT_FORM),
  v.check((text) => readDuration(text) !== undefined, MOMENT_FORM),
  v.title('Duration'),
) as v.GenericSchema as v.GenericSchema<DurationText, DurationText>

const shares = v.pipe(
  closed('Shares', { min: optional(share, 'The minimum'), max: optional(share, 'The maximum') }),
  checkBounds(),
)

const durations = byName(
  percentileName,
  v.pipe(
    closed('Durations', { min: optional(duration, 'The minimum'), max: optional(duration, 'The maximum') }),
    checkBounds(),
  ),
)

const dollars = numberFrom(0, 1_000_000)
const dollarRange = v.pipe(
  closed('Dollars', { min: optional(dollars, 'The minimum'), max: optional(dollars, 'The maximum') }),
  checkBounds(),
)

const taskRange = v.pipe(
  closed('TaskRange', {
    min: optional(integerFrom(0), 'The minimum'),
    max: optional(integerFrom(0), 'The maximum'),
  }),
  checkBounds(),
)

/** A webhook that the receiver should get. */
const webhook = anyOf(
  'expected the name of an event, or { event, signature }',
  v.string(),
  closed('ExpectedWebhook', {
    event: optional(v.string(), 'The event, as the body names it, or the state in the body'),
    signature: optional(
      oneOf(['right', 'wrong', 'missing', 'previous', 'unsigned']),
      'The state of the signature; `unsigned` if the dialect signs no webhooks',
    ),
    before_answer: optional(
      v.boolean(),
      'Whether the webhook arrives before the response to the create request',
    ),
  }),
)

const fields = closed('Expectation', {
  after: optional(moment, 'The time after the start at which to send the first request'),
  create: described(
    closed('Create', {
      dialect: optional(v.string(), 'The wire format of the request. The default is tasks'),
      model: described(v.string(), 'The model'),
      input: described(jsonObject, 'The input'),
    }),
    'The task to create',
  ),
  repeat: optional(
    integerFrom(1, 100_000),
    'The number of create requests. Each has a different `variant` in the input',
  ),
  same: optional(
    v.boolean(),
    'true: the requests have no `variant`, so they are like retries of one request',
  ),
  every: optional(moment, 'The time between the requests. The default is 0s'),
  answers: optional(
    v.array(
      anyOf(
        'expected a status such as 503, or `none`',
        integerFrom(Number.MIN_SAFE_INTEGER),
        v.literal('none', 'expected `none`'),
      ),
    ),
    'The status of the response to each create request; `none` for a request without a response',
  ),
  at: optional(
    byName(moment, jsonObject),
    'The expected fields of the task, by time after its creation. null: the task does not have the field. /.../: a regular expression',
  ),
  outcomes: optional(
    closed('Outcomes', {
      processing: optional(shares, 'The share of tasks that are processing'),
      succeeded: optional(shares, 'The share of successful tasks'),
      failed: optional(shares, 'The share of failed tasks'),
      canceled: optional(shares, 'The share of canceled tasks'),
    }),
    'The share of create requests, 0 to 1, that lead to each status. A rejected request counts for none',
  ),
  errors: optional(byName(v.string(), shares), 'The share of failed tasks, 0 to 1, with each error code'),
  queueing: optional(
    durations,
    'The range of percentiles of the time from creation to start of the tasks that end, such as { p50: { max: 2s } }',
  ),
  processing: optional(
    durations,
    'The range of percentiles of the time from start to end, such as { p50: { min: 7s, max: 9s } }',
  ),
  cost: optional(dollarRange, 'The range of the average cost of a successful task, in US dollars'),
  tasks: optional(
    anyOf('expected a whole number from 0 up, or { min, max }', integerFrom(0), taskRange),
    'The number of tasks at the end, or its range',
  ),
  webhooks: optional(v.array(webhook), 'The webhooks that a receiver gets if it accepts all of them'),
})

/** An expectation about the behavior of the scenario. */
export const expectation = v.pipe(
  fields,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed || (dataset.value.create.dialect ?? 'tasks') !== 'tasks') return
    const { at = {} } = dataset.value
    for (const [time, task] of Object.entries(at)) {
      const flaw = flawOfStatus(task['status'])
      if (flaw === undefined) continue
      const steps = [partOf(dataset.value, 'at'), partOf(at, time), partOf(task, 'status')] as const
      addIssue({ message: flaw, path: [...steps] })
    }
  }),
)

/** Explains why a task cannot have a state. The states in other wire formats have words of their own. */
function flawOfStatus(status: JsonValue | undefined): string | undefined {
  if (typeof status !== 'string' || /^\/.*\/$/s.test(status)) return undefined
  return STATUSES.some((known) => known === status) ? undefined : suggest(status, STATUSES)
}

/** A result of an exploration that is right, although the rules say otherwise. */
export const expectedResult = closed('ExpectedResult', {
  place: described(text, 'The place, such as `tasks.create#1`; * stands for any characters'),
  deviation: described(text, 'The deviation, such as `lost`; * stands for any characters'),
  expect: described(oneOf(RUN_RESULTS), 'The result that is right'),
  because: described(text, 'Why it is right'),
})
