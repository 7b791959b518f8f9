import * as v from 'valibot'
import { DECIDERS } from '../../engine/requests/answer-cause.js'
import { STATUSES } from '../../engine/tasks/task.js'
import { Observation } from './inputs.js'
import { count, described, flag, instant, number, pageOf, record, shape, text, word } from './parts.js'
import { TaskBrief } from './tasks.js'
import { Delivery, Receiver } from './webhooks.js'

function entry<const Type extends string, const Fields extends v.ObjectEntries>(
  type: Type,
  description: string,
  fields: Fields,
) {
  return shape(description, {
    number: count('The number of the entry, from 1'),
    at: instant('When it happened'),
    type: described(v.literal(type), 'The type of the entry'),
    ...fields,
  })
}

export const RequestEntry = entry('request', 'A request was answered', {
  id: text('The id of the request, as in `X-Request-Id`', { examples: ['req_00000003'] }),
  method: text('The HTTP method', { examples: ['POST'] }),
  path: text('The path, without the query', { examples: ['/api/v1/tasks'] }),
  query: text('The query without its question mark; may be empty'),
  dialect: v.optional(
    text('The wire format of the request; missing for the control API', { examples: ['tasks'] }),
  ),
  operation: v.optional(
    text('The operation; missing if the path has none', {
      examples: ['tasks.create'],
    }),
  ),
  status: count('The status of the response; 0 if a fault dropped the connection before it'),
  delivered: flag('Whether the client received the whole response'),
  retry_after_ms: v.optional(count('The value of `Retry-After`, in milliseconds')),
  key: text('The API key, masked; empty if the request had none'),
  task_id: v.optional(
    text(
      'The id of the task that the request created or named; a rejected request may name one that does not exist',
    ),
  ),
  fault: v.optional(text('The rule whose fault applied')),
  decided_by: v.optional(
    shape('Why the request got its answer; missing if its operation answered as usual', {
      what: word(DECIDERS, 'The part of the service that decided the answer'),
      name: v.optional(
        text(
          'The name of the fault rule (`directive` for one in the request) or of the rate limit; `missing_key` or `refused_key` for an API key; why a task is not found: `other_format`, `other_key`, `other_path`, `evicted`, `deleted` or `unknown_task`; `expired` for a URL',
        ),
      ),
      field: v.optional(text('The invalid field, parameter or header')),
      reason: text('The reason as a sentence; the answer may say less'),
    }),
  ),
  took_ms: number('Real milliseconds until the response'),
  held_ms: number(
    "Milliseconds on the simulator's clock until the response, such as those of a delay, a long poll or a stream",
  ),
  request_headers: v.optional(record(v.string(), 'The request headers by lower-case name, without secrets')),
  response_headers: v.optional(
    record(v.string(), 'The response headers by lower-case name, without secrets'),
  ),
  request_body: v.optional(
    text('The request body, up to 16 KB; missing also if the request was rejected unread'),
  ),
  response_body: v.optional(text('The response body, up to 16 KB')),
})

const { id, held: _, ...brief } = TaskBrief.entries

export const TaskEntry = entry('task', 'A task was created or changed its status', {
  task_id: id,
  ...brief,
  status: word(STATUSES, 'The new status of the task'),
  rule: v.optional(text('The rule that decided the outcome')),
})

export const ForgottenEntry = entry('forgotten', 'The simulator has forgotten an ended task', {
  task_id: id,
  reason: word(
    ['evicted', 'deleted'],
    '`evicted`: to stay within `keepTasks` or `keepBytes`; `deleted`: by a client',
  ),
})

export const DeliveryEntry = entry(
  'delivery',
  'A webhook attempt ended, or a webhook fault dropped the delivery',
  {
    attempt: v.optional(count('The number of the attempt that ended; missing if the delivery was lost')),
    delivery: described(Delivery, 'The delivery at that time'),
  },
)

export const ReceiverEntry = entry('receiver', 'A receiver was deactivated', {
  receiver: described(Receiver, 'The deactivated receiver'),
})

export const ControlEntry = entry('control', 'The control API changed the simulator', {
  what: text('What was changed: `clock`, `scenario` or `reset`; `hold` and `release`: of a task', {
    examples: ['clock'],
  }),
  task_id: v.optional(text('The id of the task that was held or released')),
  detail: v.optional(
    text('The name of the new scenario, or what the clock does: an advance, `paused` or its speed', {
      examples: ['flaky', '+1h', '×60'],
    }),
  ),
})

export const ObservationEntry = entry('observation', 'A test recorded an observation', Observation.entries)

export const Entry = described(
  v.union([
    RequestEntry,
    TaskEntry,
    ForgottenEntry,
    DeliveryEntry,
    ReceiverEntry,
    ControlEntry,
    ObservationEntry,
  ]),
  'A journal entry',
)

export const EntryPage = pageOf(Entry)
