import { OBSERVABLE } from '../../engine/observation.js'
import { KINDS, STATUSES } from '../../engine/tasks/task.js'
import { DELIVERY_STATES } from '../../engine/webhooks/delivery.js'
import { EVENT_NAMES } from '../../engine/webhooks/event.js'
import {
  count,
  flag,
  instant,
  listOf,
  mapOf,
  name,
  number,
  object,
  oneOf,
  ref,
  type Schema,
  text,
  word,
} from '../schema.js'

const HEADERS = mapOf({ type: 'string' }, 'By name')

const ATTEMPT = object({
  number: count('Counted from 1'),
  started_at: instant('When it began'),
  took_ms: number('Real milliseconds until the answer'),
  'status?': count('What the receiver answered'),
  'error?': text('Why there was no answer'),
  'flaw?': text('What was wrong with it on purpose, so that a receiver must not accept it'),
  'retry_at?': instant('When the next attempt is due'),
  request: object({
    headers: HEADERS,
    body: text('The bytes that were sent, as text'),
    body_base64: text('The very bytes', { contentEncoding: 'base64' }),
  }),
  'response?': object({
    status: count('The status'),
    'headers?': HEADERS,
    'body?': text('Up to 4 KB'),
    'partial?': text('Why `body` is not the whole body; a delivery counts by its status all the same'),
  }),
})

const DELIVERY = object({
  id: text('The delivery', { examples: ['dlv_00000001'] }),
  task_id: text('The task that it tells of'),
  event: text('What happened', { examples: ['task.succeeded'] }),
  url: text('The receiver; secrets in its query are masked', { format: 'uri' }),
  state: word('`lost` was lost on purpose', DELIVERY_STATES),
  created_at: instant('When the task ended'),
  'next_attempt_at?': instant('When the next attempt is due at the latest'),
  'fault?': text('The webhook fault rule that was applied'),
  'copy_of?': text('The delivery of which this is a duplicate, or a repetition on demand'),
  attempts: listOf(ref('Attempt')),
})

const RECEIVER = object({
  id: text('The receiver', { examples: ['rcv_1'] }),
  url: text('Where webhooks go; secrets in its query are masked', { format: 'uri' }),
  source: word('Who registered it', ['scenario', 'option', 'control']),
  active: flag('Whether it gets any; one that answers 410 is switched off'),
  'off_because?': text('Why it is switched off'),
  'secret?': text('Its own signing secret, masked'),
  'previous_secret?': text('The one before it, masked'),
  'events?': listOf(word('An event', EVENT_NAMES), 'The events that it gets; all unless given'),
  'retries_ms?': listOf(count('Milliseconds'), 'The waits before further attempts'),
  'timeout_ms?': count('How long an attempt may take'),
  ordered: flag('One event after the other, each when the one before it has ended'),
})

const line = (type: string, fields: Readonly<Record<string, Schema>>) =>
  object({
    number: count('Counted from 1'),
    at: instant('When it happened'),
    type: { const: type },
    ...fields,
  })

const REQUEST = line('request', {
  id: text('Names the request', { examples: ['req_00000003'] }),
  method: text('The method', { examples: ['POST'] }),
  path: text('The path', { examples: ['/api/v1/tasks'] }),
  query: text('The query without its question mark; may be empty'),
  'operation?': text('The operation, where the path has one', { examples: ['tasks.create'] }),
  status: count('What it was answered with'),
  delivered: flag('Whether the client got the whole answer'),
  'retry_after_ms?': count('When it was told to come again'),
  'key?': text('The API key, masked; empty where the operation needs none'),
  'task_id?': text(
    'The task that it created or that its path names; a rejected request may name none that exists',
  ),
  'fault?': text('The rule whose fault befell it'),
  took_ms: number('Real milliseconds until the answer'),
  'request_body?': text('Up to 16 KB'),
  'response_body?': text('Up to 16 KB'),
})

const TASK = line('task', {
  task_id: text('The task'),
  model: text('What it runs'),
  kind: word('What the model makes', KINDS),
  key: text('The API key, masked'),
  status: word('The state that it is in from now on', STATUSES),
  prompt: text('What was asked for, in at most 200 characters'),
  created_at: instant('When it was created'),
  'started_at?': instant('When it left the queue'),
  'completed_at?': instant('When it ended'),
  'cost_usd?': number('What it cost, once it has ended'),
  'error?': text('The code of its error'),
  'rule?': text('The rule that decided what becomes of it'),
})

const FINDING = object({
  id: text('The rule', { examples: ['key-sent-to-file-host'] }),
  severity: word('An error costs money or loses results, a warning will hurt one day', [
    'error',
    'warning',
    'note',
  ]),
  title: text('What is wrong, in a few words'),
  why: text('Why it matters in production'),
  remedy: text('How to mend it'),
  count: count('How often it was seen; the evidence holds the first twenty times'),
  evidence: listOf(
    object({
      at: instant('When it was seen'),
      seen: text('What was seen'),
      'task_id?': text('The task'),
      'request_ids?': listOf(text('A request')),
      'delivery_ids?': listOf(text('A delivery')),
    }),
  ),
})

const OBSERVATION = {
  what: word('What the client did', OBSERVABLE),
  task_id: name('The task that it is about'),
  'by?': name('Who processed a webhook, where several parts of a client get the same ones'),
  'as?': word('What was kept of an output', ['url', 'file']),
}

const VERDICT = object({
  findings: listOf(ref('Finding'), 'What it did wrong'),
  checked: listOf(
    object({
      id: text('The rule'),
      title: text('What would be wrong, in a few words'),
      state: word('`not_observed` where there was nothing to see', [
        'ok',
        'found',
        'not_observed',
        'ignored',
      ]),
      'needs?': text('The observation that a test must supply', { examples: ['webhook.processed'] }),
    }),
    'Every rule, and what came of it',
  ),
})

/** What the journal, webhooks and findings are made of. */
export const JOURNAL_SCHEMAS: Readonly<Record<string, Schema>> = {
  Entry: oneOf(
    'A line of the journal',
    ref('RequestEntry'),
    ref('TaskEntry'),
    ref('DeliveryEntry'),
    ref('ReceiverEntry'),
    ref('ControlEntry'),
    ref('ObservationEntry'),
  ),
  RequestEntry: REQUEST,
  TaskEntry: TASK,
  DeliveryEntry: line('delivery', {
    'attempt?': count('The attempt that has ended; none where the delivery was lost on purpose'),
    delivery: ref('Delivery'),
  }),
  ReceiverEntry: line('receiver', { receiver: ref('Receiver') }),
  ControlEntry: line('control', { what: text('What was turned', { examples: ['clock'] }) }),
  ObservationEntry: line('observation', OBSERVATION),
  Observation: object(OBSERVATION),
  Verdict: VERDICT,
  Delivery: DELIVERY,
  Attempt: ATTEMPT,
  Receiver: RECEIVER,
  Finding: FINDING,
}
