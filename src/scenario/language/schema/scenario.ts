import * as v from 'valibot'
import { KINDS, OUTCOMES } from '../../../engine/tasks/task.js'
import type { ScenarioLayer } from '../../model/layer.js'
import { auth, rateLimit, rateLimitHeaders } from './access.js'
import { delay } from './delay.js'
import { expectation } from './expect.js'
import { faultRule } from './fault.js'
import { findings } from './findings.js'
import { byName, closed, jsonObject, orElse } from './forms.js'
import { mediaSettings, ownFiles } from './media.js'
import {
  described,
  duration,
  number,
  numberFrom,
  oneOf,
  optional,
  ruleName,
  share,
  some,
  text,
  wholeFrom,
} from './parts.js'
import { reply } from './reply.js'
import { webhooks } from './webhook.js'
import { occurrence, ofTask } from './when.js'

/**
 * The language of scenario files. Each layer of an `extends` chain is checked on its own, so everything is
 * optional here; what no layer says is filled in by `complete`.
 */

const taskError = {
  code: described(text, 'A word for programs, such as content_policy'),
  message: described(v.string(), 'A sentence for people'),
}

const failures = closed('Failures', {
  rate: described(share, 'The share of tasks that fail, 0 to 1'),
  errors: optional(
    some(
      closed('WeightedError', {
        ...taskError,
        weight: optional(v.pipe(number, v.gtValue(0)), 'How frequent it is beside the others', 1),
      }),
    ),
    'What they fail with; `weight` (1 unless given) makes one more frequent than another',
  ),
})

const dollars = numberFrom(0, 1_000_000)
const price = closed('Price', {
  per_task: optional(dollars, 'For each task'),
  per_image: optional(dollars, 'For each picture'),
  per_second: optional(dollars, 'For each second of a video or a sound'),
  per_million_input_tokens: optional(dollars, 'For a million tokens of a conversation'),
  per_million_output_tokens: optional(dollars, 'For a million tokens of an answer'),
})

const behaviour = {
  delay,
  failures: optional(failures, 'How many tasks fail, and with what'),
  price: optional(price, 'US dollars; all parts that are given add up. Only successful tasks cost anything'),
  output: optional(
    jsonObject,
    "The output of a successful task, instead of the kind's own; {{file}} stands for the URL of a file, {{input.NAME}} for what the client sent",
  ),
  reply: optional(reply, 'What an LLM answers'),
  files: ownFiles,
}

const modelSettings = closed('ModelSettings', { ...behaviour, ...mediaSettings })

/** What may be said of the models of each kind. */
function byKind<Models extends v.GenericSchema>(name: string, models: Models) {
  return closed(name, {
    image: optional(models, 'Models that make pictures'),
    video: optional(models, 'Models that make videos'),
    audio: optional(models, 'Models that make sounds'),
    tool: optional(models, 'Tools'),
    llm: optional(models, 'Models that chat'),
  })
}

const rule = closed('Rule', {
  name: ruleName,
  when: optional(
    closed('RuleConditions', { ...ofTask, occurrence }),
    'All that is given must hold; nothing given matches every task',
  ),
  then: described(
    closed('RuleEffect', {
      ...behaviour,
      outcome: optional(oneOf(OUTCOMES), 'How the task ends; `stuck` never does'),
      error: optional(
        closed('TaskError', taskError),
        'What the task fails with, where the outcome is failed',
      ),
    }),
    "Overrides the model's behaviour for the tasks that match",
  ),
})

const api = closed('Api', {
  create_status: optional(
    v.picklist([200, 201, 202], 'expected 200, 201 or 202'),
    'What a create request is answered with',
    200,
  ),
  cancel: optional(v.boolean(), 'false: the cancel operation answers 404', true),
  errors: optional(
    oneOf(['envelope', 'problem', 'detail']),
    'The body of a rejected request: { error }, RFC 9457, or { detail }',
    'envelope',
  ),
  unknown_models: optional(
    oneOf(['accept', 'reject']),
    'reject: only models that the scenario lists under `models`',
    'accept',
  ),
  validation: optional(
    oneOf(['strict', 'lenient']),
    'strict: an LLM task without `messages` is rejected; lenient: a text `prompt` is accepted in their place',
    'strict',
  ),
  rate_limit_headers: optional(
    rateLimitHeaders,
    'X-RateLimit-Limit and so on, the RateLimit fields of the IETF, or none',
    'x-ratelimit',
  ),
  max_values: optional(
    wholeFrom(1, 10_000_000),
    'How many values, such as texts, numbers and objects, the JSON of a request may hold; beyond, the answer is 413. A body with more holds up other requests for longer',
    50_000,
  ),
  hide_queue: optional(v.boolean(), 'true: a create request is answered with `processing` always', false),
})

const limit = {
  running: optional(wholeFrom(1), 'How many tasks run at a time; further ones are queued'),
  queued: optional(wholeFrom(0), 'How many may wait; any number unless given'),
}

const oneLimit = closed('Limit', limit)

const capacity = closed('Capacity', {
  ...limit,
  kinds: optional(byKind('KindLimits', oneLimit), 'Of all models of a kind together'),
  models: optional(
    byName(text, oneLimit),
    'By model id, or by a pattern in which * stands for any characters: of each model that matches',
  ),
  keys: optional(byName(text, oneLimit), 'By API key, or by a pattern: of each key that matches'),
  overflow: optional(
    closed('Overflow', {
      status: optional(v.picklist([429, 503], 'expected 429 or 503'), 'The status', 429),
      retry_after: optional(duration, 'What Retry-After says', '5s'),
    }),
    'What a create request is answered with when all lines are full',
  ),
})

const outputs = closed('Outputs', {
  lifetime: optional(duration, 'How long an output URL is valid', '24h'),
  renew: optional(v.boolean(), 'Whether a later GET of the task gives a fresh URL', true),
  retention: optional(duration, 'How long outputs are kept', '30d'),
})

/** A scenario file, or one layer of a chain of them. */
export const scenarioSchema = closed('Scenario', {
  extends: optional(
    text,
    'The scenario that this one builds on: the name of a shipped one, or a path from this file',
  ),
  description: optional(v.string(), 'What it is for, in a few words'),
  directives: optional(
    oneOf(['on', 'off']),
    'off: X-Sim headers and [[sim ...]] in prompts are ignored',
    'on',
  ),
  seed: optional(
    v.pipe(
      orElse('expected text or a whole number', text, wholeFrom(Number.MIN_SAFE_INTEGER)),
      v.transform(String),
    ),
    'The root of all chance; --seed goes before it',
    '1',
  ),
  auth: optional(auth, 'Which API keys are accepted, how long, and what they may spend'),
  api: optional(api, 'What the API itself is like'),
  defaults: optional(modelSettings, 'What holds for every model'),
  kinds: optional(byKind('Kinds', modelSettings), 'What holds for every model of a kind'),
  models: optional(
    byName(
      text,
      closed('Model', {
        kind: optional(oneOf(KINDS), 'What it makes; guessed from its id and the input unless given'),
        ...behaviour,
        ...mediaSettings,
      }),
    ),
    'By model id, or by a pattern in which * stands for any characters',
  ),
  rules: optional(v.array(rule), 'The first one that matches a task decides'),
  capacity: optional(
    capacity,
    'How many tasks run at a time: of everything, of a kind, of a model, of an API key',
  ),
  rate_limits: optional(
    v.array(rateLimit),
    'How many requests each API key may send; beyond, the answer is 429',
  ),
  faults: optional(
    v.array(faultRule),
    'How requests go wrong; the first one that holds and is no `pass` decides',
  ),
  webhooks: optional(webhooks, 'How webhooks are signed and sent, to whom, and what goes wrong with them'),
  outputs: optional(outputs, 'How long outputs, and the URLs that lead to them, are good for'),
  findings: optional(findings, 'What counts as a mistake of the client; see GET /_sim/findings'),
  expect: optional(
    v.array(expectation),
    'What `tasksim validate` tries out on a manual clock. Not inherited',
  ),
}) satisfies v.GenericSchema<unknown, ScenarioLayer>
