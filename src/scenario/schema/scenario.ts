import * as v from 'valibot'
import { OUTCOMES } from '../../engine/tasks/task.js'
import { auth, dialects, rateLimit, rateLimitHeaders } from './access.js'
import { byKind, kind, kindSettings } from './by-kind.js'
import { delay, queueing } from './delay.js'
import { expectation } from './expect.js'
import { faultRule } from './fault.js'
import { findings } from './findings.js'
import { anyOf, byName, closed, jsonObject } from './forms.js'
import { mediaSettings, ownFiles, reply } from './media.js'
import {
  defaultsOf,
  described,
  duration,
  integerFrom,
  nonEmptyList,
  number,
  numberFrom,
  oneOf,
  optional,
  ruleName,
  setting,
  share,
  text,
} from './parts.js'
import { webhooks } from './webhook.js'
import { occurrence, taskConditions } from './when.js'

/**
 * The schema of scenario files. It checks each layer of an `extends` chain separately, so every field is optional;
 * `complete` adds the defaults of the settings.
 */

const taskError = {
  code: described(text, 'The error code, such as content_policy'),
  message: described(v.string(), 'The error message'),
}

const failures = closed('Failures', {
  rate: described(share, 'The share of tasks that fail, 0 to 1'),
  errors: optional(
    nonEmptyList(
      closed('WeightedError', {
        ...taskError,
        weight: optional(v.pipe(number, v.gtValue(0)), 'The frequency relative to the other errors', 1),
      }),
    ),
    'The errors of failed tasks. The default is a general error',
  ),
})

/** The version of the `learned` section. */
export const LEARNED_VERSION = 1

/** A newer version may mean something else. */
const learnedVersion = v.literal(
  LEARNED_VERSION,
  `expected ${LEARNED_VERSION}. If a newer tasksim wrote the file, update tasksim; otherwise, learn the scenario again`,
)

const dollars = numberFrom(0, 1_000_000)
const price = closed('Price', {
  per_task: optional(dollars, 'Per task'),
  per_image: optional(dollars, 'Per image'),
  per_second: optional(dollars, 'Per second of video, generated audio or transcribed audio'),
  per_million_input_tokens: optional(dollars, 'Per million input tokens'),
  per_million_output_tokens: optional(dollars, 'Per million output tokens'),
})

const behavior = {
  delay,
  queueing,
  failures: optional(failures, 'The share of tasks that fail, and their errors'),
  price: optional(
    price,
    'The cost of a successful task in US dollars: the sum of all parts. Other tasks are free',
  ),
  output: optional(
    jsonObject,
    'Replaces the output of a successful task. {{file}} inserts the URL of a file, {{input.NAME}} a field of the input',
  ),
  reply: optional(reply, 'How an LLM replies'),
  files: ownFiles,
}

const settings = { ...behavior, ...mediaSettings }
const modelSettings = closed('ModelSettings', settings)

const rule = closed('Rule', {
  name: ruleName,
  when: optional(
    closed('RuleConditions', { ...taskConditions, occurrence }),
    'A task must meet all conditions. Without conditions, every task matches',
  ),
  then: described(
    closed('RuleEffect', {
      ...behavior,
      outcome: optional(oneOf(OUTCOMES), 'How the task ends; a `stuck` task never ends'),
      error: optional(closed('TaskError', taskError), 'The error of a failed task'),
    }),
    'Overrides the behavior of matching tasks',
  ),
})

const api = closed('Api', {
  create_status: setting(
    v.picklist([200, 201, 202], 'expected 200, 201 or 202'),
    200,
    'The status of the response to a create request',
  ),
  cancel: setting(v.boolean(), true, 'false: the cancel operation responds with 404'),
  errors: setting(
    oneOf(['envelope', 'problem', 'detail']),
    'envelope',
    'The body of a rejected request: { error }, RFC 9457, or { detail }',
  ),
  unknown_models: setting(
    oneOf(['accept', 'reject']),
    'accept',
    'reject: the API rejects models that the scenario does not list under `models`',
  ),
  validation: setting(
    oneOf(['strict', 'lenient']),
    'strict',
    'strict: an LLM task requires `messages`. lenient: it may have a text `prompt` instead',
  ),
  rate_limit_headers: setting(
    rateLimitHeaders,
    'x-ratelimit',
    'The headers that report rate limits: X-RateLimit-*, the RateLimit fields of the IETF, or none',
  ),
  max_values: setting(
    integerFrom(1, 10_000_000),
    50_000,
    'The largest number of values, such as texts, numbers and objects, in the JSON of a request; above it, the response is 413. Large bodies delay other requests',
  ),
  hide_queue: setting(
    v.boolean(),
    false,
    'true: the response to a create request always has the status `processing`',
  ),
})

const limit = {
  running: optional(
    integerFrom(1),
    'The maximum number of tasks that run at the same time. Further tasks are queued',
  ),
  queued: optional(integerFrom(0), 'The maximum number of queued tasks. The default is no limit'),
}

const oneLimit = closed('Limit', limit)

const capacity = closed('Capacity', {
  ...limit,
  kinds: optional(
    byKind('KindLimits', oneLimit, ({ models }) => optional(oneLimit, models)),
    'The limits of each kind, for all its models together',
  ),
  models: optional(
    byName(text, oneLimit),
    'The limits of each matching model, by model id or by a pattern in which * stands for any characters',
  ),
  keys: optional(byName(text, oneLimit), 'The limits of each matching key, by API key or pattern'),
  overflow: optional(
    closed('Overflow', {
      status: setting(v.picklist([429, 503], 'expected 429 or 503'), 429, 'The status'),
      retry_after: setting(duration, '5s', 'The value of Retry-After'),
    }),
    'The response to a create request when the queue is full',
  ),
})

const outputs = closed('Outputs', {
  lifetime: optional(
    duration,
    'How long an output URL is valid. The default is that of the dialect, usually 24h',
  ),
  renew: setting(v.boolean(), true, 'Whether a later GET of the task returns a new URL'),
  retention: optional(
    duration,
    'How long the simulator keeps outputs. The default is that of the dialect, usually 30d',
  ),
})

/** The schema of one scenario file. */
export const scenarioSchema = closed('Scenario', {
  extends: optional(
    text,
    'The base scenario: the name of a shipped scenario, or a path relative to this file',
  ),
  description: optional(v.string(), 'A short description'),
  directives: setting(
    oneOf(['on', 'off']),
    'on',
    'off: X-Sim headers and [[sim ...]] in prompts have no effect',
  ),
  seed: setting(
    v.pipe(
      anyOf('expected text or a whole number', text, integerFrom(Number.MIN_SAFE_INTEGER)),
      v.transform(String),
    ),
    '1',
    'The seed of all random values. --seed overrides it',
  ),
  auth: setting(auth, {}, 'The accepted API keys, their validity and their budgets'),
  api: optional(api, 'How the API responds'),
  defaults: optional(modelSettings, 'The behavior of every model'),
  kinds: setting(
    kindSettings(settings),
    {},
    'The behavior of every model of a kind, and kinds of your own: `mesh: { like: tool }`',
  ),
  models: setting(
    byName(
      text,
      closed('Model', {
        kind: optional(kind, 'The kind of the model. By default, it depends on the id and the input'),
        ...behavior,
        ...mediaSettings,
      }),
    ),
    {},
    'The behavior of models, by model id or by a pattern in which * stands for any characters',
  ),
  rules: setting(
    v.array(rule),
    [],
    'Exceptions for single tasks. The first rule that matches a task applies',
  ),
  capacity: optional(
    capacity,
    'How many tasks may run at the same time: in total, and per kind, model and API key',
  ),
  rate_limits: setting(
    v.array(rateLimit),
    [],
    'How many requests each API key may send; above a limit, the response is 429',
  ),
  faults: setting(
    v.array(faultRule),
    [],
    'Faults of requests. The first rule that matches a request and is not `pass` applies',
  ),
  webhooks: optional(webhooks, 'The signatures, receivers, retries and faults of webhooks'),
  dialects: setting(
    dialects,
    {},
    'The settings of the formats of other services, by the name of the dialect',
  ),
  outputs: optional(outputs, 'How long outputs and their URLs are valid'),
  findings: optional(findings, 'Which mistakes of a client to report; see GET /_sim/findings'),
  learned: optional(
    closed('Learned', {
      version: described(learnedVersion, 'The version of this section, 1'),
      tasks: described(
        byName(text, integerFrom(0)),
        'How many successful and failed tasks of each model it used',
      ),
    }),
    'What `tasksim learn` used. `tasksim learn --check` reads it',
  ),
  expect: setting(
    v.array(expectation),
    [],
    'Expectations that `tasksim validate` checks on a manual clock. They are not inherited',
  ),
})

/** The settings that apply when no layer of a scenario has them. */
export const DEFAULTS = defaultsOf(scenarioSchema.entries)
