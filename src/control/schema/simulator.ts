import * as v from 'valibot'
import {
  anyObject,
  count,
  counts,
  described,
  instant,
  list,
  listOf,
  number,
  orNull,
  record,
  shape,
  text,
  word,
} from './parts.js'

export const Health = shape('The server runs', {
  status: described(v.literal('ok'), 'Always `ok`: a server that does not run does not respond'),
})

export const Readiness = shape('The server answers requests', {
  status: described(v.literal('ready'), 'Always `ready`: another server responds with an error'),
})

export const Clock = shape('The clock of a simulator', {
  now: instant('The current time'),
  mode: word(['real', 'manual'], '`manual`: time passes only when a request advances it'),
  speed: number('Simulated seconds per real second; 0 for a manual clock', { minimum: 0 }),
  next: orNull(instant('When the next event is due; null if nothing is planned')),
})

export const UpcomingEvent = shape('Something that will happen', {
  what: word(
    ['task_start', 'task_end', 'webhook', 'url_expiry', 'other'],
    '`webhook`: an attempt to deliver one; `url_expiry`: the latest URLs that a client got of a task expire',
  ),
  at: instant('When it will happen, unless something changes that'),
  task_id: v.optional(text('The id of the task')),
  delivery_id: v.optional(text('The id of the delivery; missing before the end of the task')),
})

export const Upcoming = shape('What happens next', {
  event: v.optional(described(UpcomingEvent, 'The next scheduled event; missing if nothing is planned')),
  webhook: v.optional(
    described(UpcomingEvent, 'The next attempt to deliver a webhook; missing if none is planned'),
  ),
  url_expiry: v.optional(
    described(UpcomingEvent, 'The next expiry of URLs of outputs; missing if there are none'),
  ),
})

export const Scenario = shape('The active scenario', {
  name: text('The name of the scenario, or the path of its file', { examples: ['flaky'] }),
  description: text('The description in the scenario; may be empty'),
  text: orNull(text('The source in YAML or JSON, with placeholders for secrets; null after a patch')),
  shipped: list(v.string(), 'The names of the scenarios that tasksim ships with'),
})

export const ShippedScenario = shape('The file of a shipped scenario', {
  name: text('The name of the scenario', { examples: ['flaky'] }),
  text: text('The source in YAML'),
})

export const State = shape('The state of a simulator', {
  sandbox: orNull(text('The id of the sandbox; null for the default sandbox')),
  scenario: described(
    v.strictObject({ name: Scenario.entries.name, description: Scenario.entries.description }),
    'The active scenario',
  ),
  seed: text('The seed of all random values', { examples: ['1'] }),
  partition: v.optional(
    text('The name of this server among several behind a load balancer', { examples: ['eu-1'] }),
  ),
  clock: Clock,
  tasks: counts('The number of tasks by status, including evicted tasks', {
    examples: [{ queued: 0, processing: 1, succeeded: 4, failed: 0, canceled: 0 }],
  }),
  requests: count('The number of answered requests'),
  deliveries: counts('The number of webhook deliveries by state'),
  spent_usd: number('The cost of all successful tasks, in US dollars'),
  sandboxes: count('The number of sandboxes'),
  memory: described(
    v.strictObject({
      used_bytes: count('Estimated bytes in memory, including all sandboxes'),
      limit_bytes: orNull(count('The limit that `keepBytes` or --keep-bytes sets; null if there is none')),
      holders: counts('Estimated bytes by use', {
        examples: [{ live_tasks: 2048, ended_tasks: 52_000, files: 71_000, journal: 18_000 }],
      }),
    }),
    'Memory use',
  ),
  journal: count('The number of the newest journal entry'),
  recording: v.optional(
    described(
      v.strictObject({
        upstream: text('The origin of the service', { examples: ['https://api.example.com'] }),
        file: text('The file with the recording', { examples: ['recording.jsonl'] }),
      }),
      'The real service that the server records; without it, the server simulates one',
    ),
  ),
})

export const Reset = shape('The state after a reset', {
  seed: text('The seed of all random values'),
  scenario: text('The name of the scenario'),
  now: instant('The current time'),
})

export const Sandbox = shape('An isolated simulator behind its own API key', {
  id: text('The id of the sandbox', { examples: ['sb_1'] }),
  name: text('The name that its creator gave it; may be empty', { examples: ['worker-1'] }),
  api_key: text(
    'The API key of the sandbox, also valid with a dot and any text after it. It is derived from the seed and is not secret',
    { examples: ['sk_sandbox_iymqYnDZ7dHgvUf6'] },
  ),
  scenario: text('The name of its scenario'),
  seed: text('The seed of its random values'),
  now: instant('The current time in the sandbox'),
  tasks: count('How many tasks were created in the sandbox'),
})

const Interval = v.pipe(
  v.array(v.number()),
  v.metadata({ prefixItems: [{ type: 'number' }, { type: 'number' }], items: false, minItems: 2 }),
)

const percentiles = (description: string) => record(v.number(), description)
const intervals = (description: string) => record(Interval, description)

export const Preview = shape('The results of a preview for one model', {
  model: text('The model that was sampled'),
  kind: text('The kind of the model', { examples: ['image'] }),
  requests: count('How many create requests were sent'),
  answers: counts(
    'The number of responses by status and error code, such as `429 rate_limited`; `none` if the response was lost',
  ),
  tasks: count('How many tasks were created'),
  outcomes: counts('The number of tasks by outcome; a `stuck` task never ends'),
  errors: counts('The number of failed tasks by error code'),
  queue_ms: percentiles('Milliseconds in the queue by percentile, `p50` to `p100`'),
  processing_ms: percentiles('Milliseconds in processing by percentile, `p50` to `p100`'),
  histogram: list(
    v.strictObject({
      from: number('The lower bound, in milliseconds'),
      to: number('The upper bound, in milliseconds'),
      count: count('The number of tasks within the bounds'),
    }),
    'The distribution of processing times up to the 99th percentile',
  ),
  cost_usd: described(
    v.strictObject({
      total: number('The cost of all tasks'),
      per_success: number('The mean cost of a successful task'),
    }),
    'Cost in US dollars',
  ),
  attempts_per_task: number('The mean number of webhook attempts per task'),
  confidence_95: described(
    v.strictObject({
      outcomes: intervals('Outcomes as shares of all tasks, 0 to 1'),
      errors: intervals('Error codes as shares of the failed tasks, 0 to 1'),
      queue_ms: intervals('Percentiles of the time in the queue; `p100` has no interval'),
      processing_ms: intervals('Percentiles of the processing time; `p100` has no interval'),
      cost_usd_per_success: described(Interval, 'The mean cost of a successful task, in US dollars'),
    }),
    'Confidence intervals at 95 %: the lower and the upper bound of each value',
  ),
  excluded: list(
    v.string(),
    'Rate limits and faults that the sample does not trigger because they apply to other requests',
  ),
})

export const Document = anyObject('An OpenAPI 3.1 document')

export const PreviewList = listOf(Preview)

export const SandboxList = listOf(Sandbox)

export const CostSeries = shape('What the tasks of one model or one API key cost over time', {
  name: text('The model, or the masked API key; `others` after the first 50', { examples: ['acme/image-1'] }),
  usd: number('The cost in US dollars'),
  steps: list(v.number(), 'The cost in each step, in US dollars'),
})

export const CapacityLimit = shape('A limit on the number of running tasks', {
  scope: word(['everything', 'kind', 'model', 'key'], 'Which tasks share the limit'),
  name: text('The kind, model or masked API key, or a pattern; empty for `everything`'),
  running: count('The maximum number of running tasks'),
  queued: v.optional(count('The maximum number of waiting tasks')),
})

export const FailingReceiver = shape('A receiver whose last attempt failed', {
  url: text('The URL of the receiver, without its secrets'),
  since: instant('When the first of the failures in a row happened'),
  failures: count('How many attempts in a row failed'),
  last_at: instant('When the last attempt started'),
  status: v.optional(count('The HTTP status of the last response')),
  error: v.optional(text('Why there was no response')),
  delivery_id: text('The delivery of the last attempt', { examples: ['dlv_00000001'] }),
  next_attempt_at: v.optional(instant('When the next attempt of that delivery is due')),
})

export const Overview = shape('What the tasks cost, what limits them, and which receivers fail now', {
  spending: described(
    v.strictObject({
      total_usd: number('The cost of all successful tasks, in US dollars'),
      unassigned_usd: number(
        'The part of it that was evicted before the first request for the overview since the start or a reset',
      ),
      from: orNull(instant('When the first step starts; null if nothing was spent')),
      step_ms: count('The length of a step, in milliseconds; steps become longer as time passes'),
      models: list(CostSeries, 'The cost of each model, the most expensive first'),
      keys: list(CostSeries, 'The cost of each API key, the most expensive first'),
    }),
    'Cost over time, in up to 60 steps',
  ),
  limits: list(CapacityLimit, 'The limits on running tasks in the active scenario'),
  failing: list(FailingReceiver, 'The receivers whose last attempt failed, the latest first'),
})
