import * as v from 'valibot'
import { writeDuration } from '../../engine/clock/durations.js'
import { OUTCOMES } from '../../engine/tasks/task.js'
import { FINDING_IDS } from '../../inspect/findings/ids.js'
import { auth, capacity, rateLimit } from './access.js'
import { behavior, modelSettings, settings, taskError } from './behavior.js'
import { byKind, kind, kindSettings } from './by-kind.js'
import { expectation, expectedResult } from './expect.js'
import { faultRule } from './fault.js'
import { anyOf, byName, closed } from './forms.js'
import { dialectName } from './names.js'
import {
  defaultsOf,
  described,
  duration,
  integerFrom,
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

/** The version of the `learned` section. */
export const LEARNED_VERSION = 1

/** A newer version may mean something else. */
const learnedVersion = v.literal(
  LEARNED_VERSION,
  `expected ${LEARNED_VERSION}. If a newer tasksim wrote the file, update tasksim; otherwise, learn the scenario again`,
)

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
    oneOf(['x-ratelimit', 'ratelimit', 'none']),
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

/** The rules to skip, and the thresholds of the others. */
const findings = closed('Findings', {
  ignore: setting(v.array(oneOf(FINDING_IDS)), [], 'The rules to skip'),
  // The service recommends the poll intervals. The other thresholds tolerate cautious clients.
  thresholds: optional(
    closed('Thresholds', {
      poll_interval: optional(
        byKind('PollIntervals', duration, ({ pollInterval, models }) =>
          setting(duration, writeDuration(pollInterval), models),
        ),
        'The shortest allowed interval between polls, by kind of task',
      ),
      tolerance: setting(
        share,
        0.1,
        'How early polls and retries may come, as a share of the interval, 0 to 1',
      ),
      fast_polls: setting(
        integerFrom(1),
        3,
        'How many polls of one task must be too fast before they count as a mistake',
      ),
      polls_after_end: setting(
        integerFrom(0),
        2,
        'The allowed number of consecutive polls of a finished task',
      ),
      longest_wait: setting(duration, '1h', 'How long after its creation a client may poll a task'),
      failed_polls: setting(
        integerFrom(1),
        3,
        'The number of consecutive failed polls after which a client may give up, if they took 5 seconds or more',
      ),
      retry_within: setting(
        duration,
        '1m',
        'The time after the end of a request within which an identical one counts as a retry',
      ),
      silence: setting(duration, '1m', 'The time after which an omission of the client counts as a mistake'),
      downloads: setting(integerFrom(0), 5, 'The number of times that a client may download the same file'),
      webhook_answer: setting(duration, '5s', 'The real time in which a receiver must acknowledge a webhook'),
    }),
    'The limits above which behavior counts as a mistake',
  ),
})

const dialectSettings = closed('DialectSettings', {
  file: optional(text, 'The path of a dialect file, relative to this file, which adds the dialect'),
  secret: optional(text, 'The signing secret of its webhooks. --webhook-secret overrides it'),
  previous_secret: optional(
    text,
    'The secret with which the webhook fault `previous_secret` signs, as during a rotation',
  ),
})

const otherDialect = v.pipe(
  dialectName,
  v.check(
    (name) => name !== 'tasks',
    'the dialect `tasks` has no settings here: set `webhooks.secret` and `webhooks.previous_secret`',
  ),
)

/** The settings of the formats of other services. */
const dialects = byName(otherDialect, dialectSettings)

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
        ...settings,
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
  ended: setting(
    oneOf(['served', 'as-today']),
    'served',
    'as-today: a service rejects what has ended, by its dialect file and the date of the machine, or of the clock if a test has chosen it. served: it answers as before the end',
  ),
  outputs: optional(outputs, 'How long outputs and their URLs are valid'),
  findings: optional(findings, 'Which mistakes of a client to report; see GET /_sim/findings'),
  explore: setting(
    v.array(expectedResult),
    [],
    'Results of `tasksim explore` that are right, although its rules say otherwise',
  ),
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

/**
 * The settings that apply when no layer of a scenario has them. At run time, they come from a file without the schema.
 */
export const SCHEMA_DEFAULTS = defaultsOf(scenarioSchema.entries)
