import * as v from 'valibot'
import { OBSERVABLE } from '../../engine/observation.js'
import { DECIDERS } from '../../engine/requests/decision.js'
import { STATUSES } from '../../engine/tasks/task.js'
import { DELIVERY_STATES } from '../../engine/webhooks/delivery.js'
import { SEVERITIES } from '../../inspect/findings/finding.js'
import { EVENT_NAMES } from '../../scenario/model/events.js'
import {
  count,
  counts,
  described,
  flag,
  instant,
  list,
  listOf,
  number,
  pageOf,
  record,
  shape,
  text,
  word,
} from './parts.js'
import { Observation } from './requests.js'
import { TaskBrief } from './tasks.js'

const headers = record(v.string(), 'Headers by lower-case name')

const attempt = {
  number: count('The number of the attempt, from 1'),
  started_at: instant('When the attempt started'),
  took_ms: number('Real milliseconds until the response'),
  status: v.optional(count('The HTTP status of the response')),
  error: v.optional(text('Why there was no response')),
  flaw: v.optional(text('The defect that a webhook fault added; a receiver must reject the attempt')),
  retry_at: v.optional(instant('When the next attempt is due')),
}

export const AttemptBrief = shape('One POST of a webhook, without headers and bodies', attempt)

export const Attempt = shape('One POST of a webhook', {
  ...attempt,
  request: described(
    v.strictObject({
      headers,
      body: text('The body as text'),
      body_base64: text('The exact bytes of the body', { contentEncoding: 'base64' }),
    }),
    'The request',
  ),
  response: v.optional(
    described(
      v.strictObject({
        status: count('The HTTP status'),
        headers: v.optional(headers),
        body: v.optional(text('Up to 4 KB of the body')),
        partial: v.optional(
          text('Why `body` is incomplete; only the status decides whether the attempt succeeded'),
        ),
      }),
      'The response of the receiver',
    ),
  ),
  expected: v.optional(
    described(
      v.strictObject({ headers, body: text('The body as text') }),
      'The request without the webhook fault that changed it, signed with the current secret; only in the response with one delivery',
    ),
  ),
})

const delivery = {
  id: text('The id of the delivery', { examples: ['dlv_00000001'] }),
  task_id: text('The id of the task'),
  dialect: text('The wire format of the webhook', { examples: ['tasks'] }),
  event: text("The service's name for the event", { examples: ['task.succeeded'] }),
  url: text('The URL of the receiver; secrets in its query are masked', { format: 'uri' }),
  state: word(DELIVERY_STATES, 'The state of the delivery; `lost`: a webhook fault dropped it'),
  created_at: instant('When the task ended'),
  next_attempt_at: v.optional(instant('The latest time of the next attempt')),
  fault: v.optional(text('The webhook fault rule that applied')),
  copy_of: v.optional(text('The id of the delivery that this one duplicates or repeats')),
}

export const DeliveryBrief = shape('One event for one receiver, without headers and bodies', {
  ...delivery,
  attempts: list(AttemptBrief, 'The attempts so far, oldest first'),
})

export const Delivery = shape('One event for one receiver', {
  ...delivery,
  attempts: list(Attempt, 'The attempts so far, oldest first'),
})

export const Receiver = shape('A receiver of the webhooks of all tasks', {
  id: text('The id of the receiver', { examples: ['rcv_1'] }),
  url: text('The URL that webhooks are sent to; secrets in its query are masked', { format: 'uri' }),
  source: word(
    ['scenario', 'option', 'control', 'api'],
    'Where the receiver was registered; `api`: by a client, through the API of a service',
  ),
  registration: v.optional(
    shape('How a client of a service registered a receiver', {
      dialect: text('The wire format of its webhooks', { examples: ['google'] }),
      key: text('The API key of the client, masked: the receiver gets webhooks about its tasks only'),
      name: v.optional(text('The name that the client gave it')),
      events: v.optional(
        list(v.string(), "The service's names of the events that it receives; all by default"),
      ),
    }),
  ),
  active: flag('Whether webhooks are sent to it; a response with status 410 deactivates it'),
  off_because: v.optional(text('Why the receiver is inactive')),
  secret: v.optional(text('Its signing secret, masked')),
  previous_secret: v.optional(text('Its signing secret before the last rotation, masked')),
  events: v.optional(list(v.picklist(EVENT_NAMES), 'The events that it receives; all by default')),
  retries_ms: v.optional(list(count('Milliseconds'), 'The delay before each retry, in milliseconds')),
  timeout_ms: v.optional(count('The timeout of an attempt, in milliseconds')),
  ordered: flag('Whether each delivery waits until the previous one has ended'),
})

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
          'The name of the fault rule (`directive` for one in the request) or of the rate limit; `missing_key` or `refused_key` for an API key',
        ),
      ),
      field: v.optional(text('The invalid field, parameter or header')),
      reason: text('The reason as a sentence'),
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

export const Evidence = shape('When and where a finding was observed', {
  at: instant('When it was observed'),
  seen: text('What was observed'),
  task_id: v.optional(text('The id of the task')),
  request_ids: v.optional(list(v.string(), 'The requests that show it; look them up in the journal')),
  delivery_ids: v.optional(list(v.string(), 'The deliveries that show it')),
})

export const Finding = shape('One thing that the client under test did wrong', {
  id: text('The id of the rule', { examples: ['key-sent-to-file-host'] }),
  severity: word(
    SEVERITIES,
    'An `error` costs money or loses results, a `warning` is likely to cause trouble later, a `note` is for information',
  ),
  title: text('What is wrong, in a few words'),
  why: text('Why it matters in production'),
  remedy: text('How to fix it'),
  count: count('How often it was observed; the evidence covers the first twenty observations'),
  evidence: list(Evidence, 'When and where it was observed'),
})

export const Verdict = shape('What the client under test did wrong, and what was checked', {
  findings: list(Finding, 'What the client did wrong, the most severe first'),
  checked: list(
    v.strictObject({
      id: text('The id of the rule', { examples: ['polls-too-fast'] }),
      title: text('The mistake, in a few words'),
      state: word(
        ['ok', 'found', 'not_observed', 'ignored', 'not_applicable'],
        'The result; `not_observed`: nothing happened that the rule could check; `not_applicable`: a proxy that records a service does not see what the rule is about',
      ),
      needs: v.optional(word(OBSERVABLE, 'The observation that a test must supply')),
      reason: v.optional(text('Why the rule is not applicable')),
    }),
    'Every rule and its result',
  ),
})

export const EntryPage = pageOf(Entry)

export const DeliveryList = listOf(Delivery)

export const DeliveryPage = shape('A page of deliveries', {
  ...pageOf(described(v.union([Delivery, DeliveryBrief]), 'In full, or in brief')).entries,
  counts: counts('The number of deliveries by state, including evicted deliveries'),
})

export const ReceiverList = listOf(Receiver)
