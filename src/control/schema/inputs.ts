import * as v from 'valibot'
import { DURATION_FORM } from '../../engine/clock/durations.js'
import type { JsonObject } from '../../engine/json.js'
import { OBSERVABLE } from '../../engine/observation.js'
import { STATUSES } from '../../engine/tasks/task.js'
import { DELIVERY_STATES } from '../../engine/webhooks/deliveries/delivery.js'
import { EVENT_NAMES } from '../../engine/webhooks/events/task-event.js'
import { SIGNATURE_FAULTS } from '../../engine/webhooks/faults/webhook-fault.js'
import { HTTP_URL_FORM } from '../../engine/webhooks/receivers/receiver.js'
import { ENTRY_TYPES } from '../../inspect/journal/entry.js'
import {
  described,
  duration,
  entryCursor,
  instantText,
  limitUpTo,
  name,
  oneOf,
  optional,
  positiveDuration,
  shape,
  speed,
  statusText,
  truth,
  wholeNumber,
} from './parts.js'

const jsonObject = v.pipe(
  v.record(v.string(), v.unknown(), 'a JSON object'),
  v.metadata({ type: 'object' }),
  // The body of a request is JSON.
  v.transform((value) => value as JsonObject),
)

// The schema of scenarios checks these, and reports every mistake.
const scenarioName = described(v.string('the name of a shipped scenario'), 'The name of a shipped scenario', {
  examples: ['flaky'],
})

const scenarioText = described(v.string('a scenario in YAML or JSON'), 'A scenario in YAML or JSON')
const scenarioObject = v.pipe(
  v.unknown(),
  v.metadata({ title: 'ScenarioInput', type: 'object', description: 'A scenario as an object' }),
)
const choice = {
  name: v.strictObject({ name: scenarioName }),
  text: v.strictObject({
    text: scenarioText,
    bases: optional(
      v.pipe(v.record(v.string(), scenarioText), v.maxEntries(100, 'at most 100 files')),
      'The scenario files that the text extends, by the names in `extends`, such as `./base.yaml`',
    ),
  }),
  scenario: v.strictObject({ scenario: scenarioObject }),
}

export const ScenarioChoice = described(
  v.union([choice.name, choice.text, choice.scenario]),
  'A scenario: the name of a shipped one, a text, or an object',
)

export const PreviewOptions = shape(
  'The scenario to preview (by default, the active one), the model, and the number of tasks',
  {
    name: v.optional(scenarioName),
    text: v.optional(scenarioText),
    scenario: v.optional(scenarioObject),
    model: optional(name, 'The model to sample; by default, every model that the scenario configures'),
    tasks: optional(wholeNumber(1, 2_000), 'How many create requests to send per model', {
      default: 300,
    }),
  },
)

const mode = optional(oneOf(['real', 'manual']), '`manual`: time passes only when a request advances it')
const running = {
  mode,
  speed: optional(speed, 'Simulated seconds per real second; requires a `real` clock'),
}

export const ClockChange = described(
  v.union([
    v.strictObject({ advance: described(duration, 'The duration to advance by'), ...running }),
    v.strictObject({ to: described(instantText, 'The instant to advance to'), ...running }),
    v.strictObject({
      run_until_idle: described(
        v.union([v.literal(true), duration], DURATION_FORM),
        'Advance until nothing is planned; a duration limits the advance',
      ),
      ...running,
    }),
    v.pipe(v.strictObject(running), v.metadata({ minProperties: 1 })),
  ]),
  'How to change the clock; give at most one of `advance`, `to` and `run_until_idle`',
)

export const TaskEnding = shape('How to end a task; by default, as planned', {
  status: optional(
    oneOf(['succeeded', 'failed', 'canceled']),
    'The final status; the planned one by default',
  ),
  error: optional(
    v.strictObject(
      {
        code: described(name, 'An error code for programs'),
        message: optional(v.string('a string'), 'An error message for people'),
      },
      'an object with a `code`, and optionally a `message`',
    ),
    'The error; only with `status: failed`',
  ),
})

export const Observation = shape('An observation of a test inside its client', {
  what: described(oneOf(OBSERVABLE), 'What the client did'),
  task_id: described(name, 'The id of the task'),
  by: optional(name, 'The consumer that processed the webhook, if the client has several'),
  as: optional(oneOf(['url', 'file']), 'Whether the client kept the URL or the file of an output'),
})

export const NewRun = shape('A run of the client with deviations', {
  id: optional(
    name,
    'The id of a run of the baseline, such as `tasks.create#1:lost`; without it, the run is the baseline',
  ),
})

/** `readReceiver` checks it, because a receiver in a scenario has the same settings. */
export const NewReceiver = shape('A receiver to register', {
  url: described(v.string(), 'The URL to send webhooks to', { format: 'uri' }),
  secret: optional(v.string(), 'The signing secret of the receiver; by default, that of the scenario'),
  previous_secret: optional(v.string(), 'The signing secret before the last rotation'),
  events: optional(v.array(v.picklist(EVENT_NAMES)), 'The events to send; all by default'),
  retries: optional(v.array(duration), 'The delay before each retry'),
  timeout: optional(duration, 'The timeout of an attempt'),
  ordered: optional(v.boolean(), 'Whether each delivery waits until the previous one has ended'),
})

export const Redelivery = shape('What differs from the delivery that is sent again', {
  body: optional(v.string('a string'), 'The body; by default, that of the event'),
  headers: optional(
    v.record(v.string(), v.string('a string'), 'headers by name'),
    'Further headers, which replace those of the event. The signature is written at the end',
  ),
  signature: optional(
    oneOf(SIGNATURE_FAULTS),
    'What is wrong with the signature of every attempt; by default, it is right',
  ),
})

export const WebhookTrigger = shape('The event to send, and its receiver', {
  event: optional(
    oneOf(EVENT_NAMES),
    'The event, whatever its service calls it; `GET /_sim/dialects` lists those of each dialect',
    { default: 'task.succeeded' },
  ),
  dialect: optional(
    v.string('the name of a dialect that GET /_sim/dialects lists'),
    'The wire format of the webhook; the main one by default',
    { default: 'tasks' },
  ),
  url: optional(v.string(HTTP_URL_FORM), 'The URL to send to; by default, every registered receiver', {
    format: 'uri',
  }),
  receiver: optional(
    v.string('the id of a receiver that GET /_sim/receivers lists'),
    'The id of a registered receiver, instead of `url`',
    { examples: ['rcv_1'] },
  ),
})

const directive = (description: string, examples: readonly string[]) =>
  optional(v.string('a string'), description, { examples })

const directives = v.strictObject(
  {
    outcome: directive('How the task ends: succeeded, failed, canceled or stuck', ['failed']),
    error: directive('The code of the error of a failed task', ['content_policy']),
    message: directive('The message of the error', ['The prompt was rejected.']),
    after: directive('The processing time', ['2s']),
    polls: directive('The number of the poll at which the task ends', ['3']),
    cost: directive('The cost in US dollars', ['0.25']),
    fault: directive('The fault of the request', ['503', '429*2']),
    retry_after: directive('The wait in the Retry-After header of a rejection by `fault`', ['5s']),
    webhook: directive('The fault of the webhook', ['duplicate']),
    webhook_delay: directive('The delay of the webhook', ['30s']),
  },
  'an object with directives',
)

export const NewRequest = shape('What the request should contain; everything has a default', {
  task: optional(v.string(), 'The id of a task; its values replace the defaults'),
  dialect: optional(v.string(), 'The wire format; the main one by default', { default: 'tasks' }),
  kind: optional(name, 'The kind; by default, that of the model, or the first that the service creates'),
  model: optional(name, 'The model'),
  prompt: optional(
    v.string('a string'),
    'The text of the default input: its `prompt`, or the message to a language model',
  ),
  input: optional(jsonObject, 'The input, instead of the default one'),
  webhook_url: optional(
    v.union([v.string(HTTP_URL_FORM), v.null()], HTTP_URL_FORM),
    'The webhook URL of the task; null for none',
  ),
  directives: described(
    v.optional(directives),
    'What the request overrides in the scenario; they become the header `X-Sim`',
  ),
})

const SEED_FORM = 'a string or a whole number'

export const NewSandbox = shape('The settings of a sandbox', {
  name: optional(name, 'The name; sandboxes with the same name and seed draw the same random values'),
  scenario: optional(
    v.union([described(v.string(), 'The name of a shipped scenario'), scenarioObject]),
    'The scenario; by default, the initial scenario of the default sandbox',
  ),
  text: optional(v.string('a scenario in YAML or JSON'), 'The scenario in YAML, instead of `scenario`'),
  seed: optional(
    v.pipe(v.union([name, v.pipe(v.number(), v.safeInteger(SEED_FORM))], SEED_FORM), v.transform(String)),
    'The seed of its random values; by default, the seed of the default sandbox',
  ),
  clock: mode,
  speed: optional(speed, 'Simulated seconds per real second; only for a `real` clock'),
  start: optional(instantText, 'The instant at which its clock starts; only for a `manual` clock'),
  idle: optional(
    positiveDuration,
    'How long the sandbox may be without requests, in real time, before it is deleted; 30m by default',
  ),
})

const page = {
  limit: optional(limitUpTo(1_000), 'The maximum number of items'),
  after: optional(v.string(), 'The `next_cursor` of the previous page'),
}

export const TaskQuery = shape('Conditions on tasks; all tasks by default', {
  status: optional(oneOf(STATUSES), 'Only tasks with this status'),
  model: optional(v.string(), 'Only tasks of this model'),
  kind: optional(v.string(), 'Only tasks of this kind'),
  dialect: optional(v.string(), 'Only tasks that were created in this wire format'),
  key: optional(v.string(), 'Only tasks of this API key, in full or masked'),
  text: optional(v.string(), 'Only tasks that contain this text in their id, model, input or error'),
  ...page,
})

const requestConditions = {
  task: optional(v.string(), 'Only entries about the task with this id'),
  key: optional(v.string(), 'Only requests and tasks with this API key, in full or masked'),
  operation: optional(v.string(), 'Only requests for this operation, such as `tasks.create`'),
  dialect: optional(v.string(), 'Only requests in this wire format'),
  status: optional(
    statusText,
    'Only requests whose response arrived with this status, or one of this class; `lost`: it did not arrive as a whole; `refused`: `4xx`, `5xx` or `lost`',
    { examples: [404, 'refused'] },
  ),
  text: optional(
    v.string(),
    'Only requests that contain each of these words in their id, path, query, key, reason or bodies',
  ),
  since: optional(instantText, 'Only entries from this instant on'),
  until: optional(instantText, 'Only entries up to this instant'),
}

export const JournalQuery = shape('Conditions on journal entries; all entries by default', {
  type: optional(oneOf(ENTRY_TYPES), 'Only entries of this type'),
  ...requestConditions,
  ...page,
  after: optional(entryCursor, 'The `next_cursor` of the previous page'),
})

export const RequestQuery = shape('Conditions on requests; all requests by default', requestConditions)

export const DeliveryQuery = shape('Conditions on deliveries; all deliveries by default', {
  task: optional(v.string(), 'Only deliveries for the task with this id'),
  receiver: optional(v.string(), 'Only deliveries to this receiver, by id or URL'),
  state: optional(oneOf(DELIVERY_STATES), 'Only deliveries in this state'),
  ...page,
})

export const FindingQuery = shape('Which mistakes to count, and which of their occurrences to list', {
  final: optional(truth, '`true`: evaluate as if the client had sent its last request'),
  task: optional(v.string(), 'Only mistakes with the task with this id'),
  since: optional(instantText, 'Only mistakes observed at this time or later'),
  newest: optional(truth, '`true`: the newest occurrences first'),
  whole: optional(v.string(), 'The id of the rule of which to list all occurrences'),
})

export const CodeQuery = shape('What to add to a request', {
  code: optional(
    truth,
    '`true` adds the same request as a curl command, in TypeScript, in Python and, if there is one, with the official client',
  ),
})
