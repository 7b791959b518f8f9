import { KINDS, STATUSES } from '../../engine/tasks/task.js'
import {
  anyObject,
  count,
  flag,
  instant,
  listOf,
  mapOf,
  number,
  object,
  orNull,
  ref,
  type Schema,
  text,
  word,
} from '../schema.js'

const ERROR = object({
  code: text('A word for programs', { examples: ['content_policy'] }),
  message: text('A sentence for people'),
})

const CLOCK = object({
  now: instant('What time it is'),
  mode: word('`manual` stands still until it is turned', ['real', 'manual']),
  speed: number('Seconds of service that pass in a second; 0 while the clock is manual', { minimum: 0 }),
  next: orNull(instant('When something is planned; null where nothing is')),
})

const STATE = object({
  sandbox: orNull(text('The id of the sandbox; null in the default one')),
  scenario: object({
    name: text('Its name, or the path of its file', { examples: ['default'] }),
    description: text('What it says of itself; may be empty'),
  }),
  seed: text('The root of all chance', { examples: ['1'] }),
  clock: ref('Clock'),
  tasks: mapOf(count('Tasks'), 'How many tasks are in each state, those forgotten included', {
    examples: [{ queued: 0, processing: 1, succeeded: 4, failed: 0, canceled: 0 }],
  }),
  requests: count('How many were answered'),
  deliveries: mapOf(count('Deliveries'), 'How many webhooks are in each state'),
  spent_usd: number('What successful tasks have cost'),
  sandboxes: count('How many there are'),
  memory: object({
    used_bytes: count('Bytes in memory, as an estimate, together with the sandboxes'),
    limit_bytes: orNull(count('What --keep-bytes allows; null if nothing is bounded')),
    holders: mapOf(count('Bytes'), 'Bytes by what retains them', {
      examples: [{ live_tasks: 2048, ended_tasks: 52_000, files: 71_000, journal: 18_000 }],
    }),
  }),
  journal: count('The number of the newest line of the journal'),
})

const TASK_BRIEF = object({
  id: text('The task', { examples: ['task_82wsE0eJdLYSLPR9BIkYOFzx'] }),
  model: text('What it runs', { examples: ['acme/image-1'] }),
  kind: word('What the model makes', KINDS),
  key: text('The API key, masked'),
  status: word('The state that it is in', STATUSES),
  prompt: text('What was asked for, in at most 200 characters'),
  created_at: instant('When it was created'),
  'started_at?': instant('When it left the queue'),
  'completed_at?': instant('When it ended'),
  'cost_usd?': number('What it cost, once it has ended'),
  'error?': text('The code of its error'),
  held: flag('Whether it is kept from ending by itself'),
})

const INTERVAL = listOf(number('A bound'), 'The lower and the upper bound of a 95 % interval')

const PREVIEW = object({
  model: text('What was tried out'),
  kind: word('What the model makes', KINDS),
  requests: count('How many create requests were sent'),
  answers: mapOf(count('Requests'), 'How many got which answer, such as `429 rate_limited`; `none` was lost'),
  tasks: count('How many tasks were created'),
  outcomes: mapOf(count('Tasks'), 'How many ended how; `stuck` never did'),
  errors: mapOf(count('Tasks'), 'How many failed with which code'),
  queue_ms: mapOf(number('Milliseconds'), 'Times in the queue by percentile, such as `p50`'),
  processing_ms: mapOf(number('Milliseconds'), 'Times in processing by percentile, such as `p50`'),
  histogram: listOf(
    object({
      from: number('Milliseconds'),
      to: number('Milliseconds'),
      count: count('How many took that long'),
    }),
    'How processing times are spread, up to the 99th percentile',
  ),
  cost_usd: object({ total: number('All of them'), per_success: number('Each that has succeeded') }),
  attempts_per_task: number('Webhook attempts'),
  confidence_95: object({
    outcomes: mapOf(INTERVAL, 'As shares of the tasks, 0 to 1'),
    errors: mapOf(INTERVAL, 'As shares of the failed tasks, 0 to 1'),
    queue_ms: mapOf(INTERVAL, 'By percentile; `p100` has none'),
    processing_ms: mapOf(INTERVAL, 'By percentile; `p100` has none'),
    cost_usd_per_success: INTERVAL,
  }),
  excluded: listOf(
    text('A rate limit or a fault'),
    'What the sample cannot meet: rules about other requests',
  ),
})

const TASK = object({
  id: text('The task', { examples: ['task_82wsE0eJdLYSLPR9BIkYOFzx'] }),
  model: text('What it runs', { examples: ['acme/image-1'] }),
  kind: word('What the model makes', KINDS),
  key: text('The API key, masked', { examples: ['sk_...ocal'] }),
  status: word('Its state', STATUSES),
  input: anyObject("The model's parameters"),
  'output?': anyObject('Of a success, until it is no longer kept'),
  'error?': { ...ref('TaskError'), description: 'Of a failure' },
  'cost_usd?': number('Once it has ended', { minimum: 0 }),
  'webhook_url?': text('Where the client wants the webhook', { format: 'uri' }),
  created_at: instant('When it was created'),
  'started_at?': instant('When it left the queue'),
  'completed_at?': instant('When it ended'),
  held: flag('Whether it is kept from ending by itself'),
  plan: ref('Plan'),
})

const PLAN = object(
  {
    outcome: word('How it ends; `stuck` never does', ['succeeded', 'failed', 'canceled', 'stuck']),
    'ends_at?': instant(
      'When it ends, where that is known: it is not while it waits, or where it ends at a poll',
    ),
    'ends_at_poll?': count('The poll at which it ends'),
    'error?': { ...ref('TaskError'), description: 'What it fails with' },
    'rule?': text('The rule that decided; `directive` where the request itself did'),
  },
  { description: 'What will happen to a task by itself: drawn once, when it was created' },
)

const SCENARIO = object({
  name: text('Its name, or the path of its file', { examples: ['flaky'] }),
  description: text('What it says of itself'),
  text: orNull(
    text(
      'As it was written, in YAML, with placeholders for its secrets; null where it was patched, or made in code',
    ),
  ),
  shipped: listOf(text('A name'), 'The names of the scenarios that come with tasksim'),
})

const SANDBOX = object({
  id: text('The sandbox', { examples: ['sb_1'] }),
  api_key: text(
    'Leads into it; keys that begin with it and a dot do as well; drawn from the seed, and no secret',
    {
      examples: ['sk_sandbox_iymqYnDZ7dHgvUf6'],
    },
  ),
  scenario: text('The name of its scenario'),
  seed: text('The root of its chance'),
  now: instant('What time it is there'),
  tasks: count('How many tasks were created there'),
})

/** The parts of the control API's document that several operations share. */
export const CONTROL_SCHEMAS: Readonly<Record<string, Schema>> = {
  Clock: CLOCK,
  State: STATE,
  Task: TASK,
  TaskBrief: TASK_BRIEF,
  Preview: PREVIEW,
  Plan: PLAN,
  TaskError: ERROR,
  Scenario: SCENARIO,
  Sandbox: SANDBOX,
}
