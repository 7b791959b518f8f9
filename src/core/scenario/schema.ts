import { z } from 'zod'
import { KINDS, OUTCOMES } from '../task/task.js'
import { auth, rateLimit, rateLimitHeaders } from './schema-access.js'
import { delay } from './schema-delay.js'
import { expectation } from './schema-expect.js'
import { faultRule } from './schema-fault.js'
import { findings } from './schema-findings.js'
import { mediaSettings, ownFiles } from './schema-media.js'
import { closed, duration, oneOf, ruleName } from './schema-parts.js'
import { reply } from './schema-reply.js'
import { webhooks } from './schema-webhook.js'
import { occurrence, ofTask } from './schema-when.js'

/**
 * The language of scenario files. Each layer of an `extends` chain is checked on its own, so everything is
 * optional here; what no layer says is filled in by `complete`.
 */

const taskError = closed({
  code: z.string().min(1).meta({ description: 'A word for programs, such as content_policy' }),
  message: z.string().meta({ description: 'A sentence for people' }),
})

const failures = closed({
  rate: z.number().min(0).max(1).meta({ description: 'The share of tasks that fail, 0 to 1' }),
  errors: z
    .array(
      closed({
        ...taskError.shape,
        weight: z
          .number()
          .positive()
          .optional()
          .meta({ description: 'How frequent it is beside the others', default: 1 }),
      }),
    )
    .min(1)
    .optional()
    .meta({
      description: 'What they fail with; `weight` (1 unless given) makes one more frequent than another',
    }),
})

const dollars = (what: string) => z.number().min(0).max(1_000_000).optional().meta({ description: what })
const price = closed({
  per_task: dollars('For each task'),
  per_image: dollars('For each picture'),
  per_second: dollars('For each second of a video or a sound'),
  per_million_input_tokens: dollars('For a million tokens of a conversation'),
  per_million_output_tokens: dollars('For a million tokens of an answer'),
}).meta({ description: 'US dollars; all parts that are given add up. Only successful tasks cost anything' })

const behaviour = {
  delay: delay.optional(),
  failures: failures.optional().meta({ description: 'How many tasks fail, and with what' }),
  price: price.optional(),
  output: z.record(z.string(), z.json()).optional().meta({
    description:
      "The output of a successful task, instead of the kind's own; {{file}} stands for the URL of a file, {{input.NAME}} for what the client sent",
  }),
  reply: reply.optional(),
  files: ownFiles.optional(),
}

const kind = oneOf(KINDS)

/** The same fields for each kind. */
function byKind<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const fields = (what: string) => closed(shape).optional().meta({ description: what })
  return closed({
    image: fields('Models that make pictures'),
    video: fields('Models that make videos'),
    audio: fields('Models that make sounds'),
    tool: fields('Tools'),
    llm: fields('Models that chat'),
  })
}

const when = closed({ ...ofTask, occurrence })

const rule = closed({
  name: ruleName,
  when: when
    .optional()
    .meta({ description: 'All that is given must hold; nothing given matches every task' }),
  then: closed({
    ...behaviour,
    outcome: oneOf(OUTCOMES).optional().meta({ description: 'How the task ends; `stuck` never does' }),
    error: taskError
      .optional()
      .meta({ description: 'What the task fails with, where the outcome is failed' }),
  }).meta({ description: "Overrides the model's behaviour for the tasks that match" }),
})

const limit = {
  running: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'How many tasks run at a time; further ones are queued' }),
  queued: z.int().min(0).optional().meta({ description: 'How many may wait; any number unless given' }),
}

/** A scenario file, or one layer of a chain of them. */
export const scenarioSchema = closed({
  extends: z.string().min(1).optional().meta({
    description: 'The scenario that this one builds on: the name of a shipped one, or a path from this file',
  }),
  description: z.string().optional().meta({ description: 'What it is for, in a few words' }),
  directives: oneOf(['on', 'off'])
    .optional()
    .meta({ description: 'off: X-Sim headers and [[sim ...]] in prompts are ignored', default: 'on' }),
  seed: z
    .union([z.string().min(1), z.int()])
    .transform(String)
    .optional()
    .meta({ description: 'The root of all chance; --seed goes before it', default: '1' }),
  auth: auth
    .optional()
    .meta({ description: 'Which API keys are accepted, how long, and what they may spend' }),
  api: closed({
    create_status: z
      .literal([200, 201, 202])
      .optional()
      .meta({ description: 'What a create request is answered with', default: 200 }),
    cancel: z
      .boolean()
      .optional()
      .meta({ description: 'false: the cancel operation answers 404', default: true }),
    errors: oneOf(['envelope', 'problem', 'detail']).optional().meta({
      description: 'The body of a rejected request: { error }, RFC 9457, or { detail }',
      default: 'envelope',
    }),
    unknown_models: oneOf(['accept', 'reject'])
      .optional()
      .meta({ description: 'reject: only models that the scenario lists under `models`', default: 'accept' }),
    rate_limit_headers: rateLimitHeaders.optional().meta({
      description: 'X-RateLimit-Limit and so on, the RateLimit fields of the IETF, or none',
      default: 'x-ratelimit',
    }),
    hide_queue: z
      .boolean()
      .optional()
      .meta({ description: 'true: a create request is answered with `processing` always', default: false }),
  })
    .optional()
    .meta({ description: 'What the API itself is like' }),
  defaults: closed({ ...behaviour, ...mediaSettings })
    .optional()
    .meta({ description: 'What holds for every model' }),
  kinds: byKind({ ...behaviour, ...mediaSettings })
    .optional()
    .meta({ description: 'What holds for every model of a kind' }),
  models: z
    .record(
      z.string().min(1),
      closed({
        kind: kind
          .optional()
          .meta({ description: 'What it makes; guessed from its id and the input unless given' }),
        ...behaviour,
        ...mediaSettings,
      }),
    )
    .optional()
    .meta({ description: 'By model id, or by a pattern in which * stands for any characters' }),
  rules: z.array(rule).optional().meta({ description: 'The first one that matches a task decides' }),
  capacity: closed({
    ...limit,
    kinds: byKind(limit).optional().meta({ description: 'Of all models of a kind together' }),
    models: z.record(z.string(), closed(limit)).optional().meta({
      description:
        'By model id, or by a pattern in which * stands for any characters: of each model that matches',
    }),
    keys: z
      .record(z.string(), closed(limit))
      .optional()
      .meta({ description: 'By API key, or by a pattern: of each key that matches' }),
    overflow: closed({
      status: z.literal([429, 503]).optional().meta({ description: 'The status', default: 429 }),
      retry_after: duration.optional().meta({ description: 'What Retry-After says', default: '5s' }),
    })
      .optional()
      .meta({ description: 'What a create request is answered with when all lines are full' }),
  })
    .optional()
    .meta({
      description: 'How many tasks run at a time: of everything, of a kind, of a model, of an API key',
    }),
  rate_limits: z
    .array(rateLimit)
    .optional()
    .meta({ description: 'How many requests each API key may send; beyond, the answer is 429' }),
  faults: z
    .array(faultRule)
    .optional()
    .meta({ description: 'How requests go wrong; the first one that holds and is no `pass` decides' }),
  webhooks: webhooks
    .optional()
    .meta({ description: 'How webhooks are signed and sent, to whom, and what goes wrong with them' }),
  outputs: closed({
    lifetime: duration.optional().meta({ description: 'How long an output URL is valid', default: '24h' }),
    renew: z
      .boolean()
      .optional()
      .meta({ description: 'Whether a later GET of the task gives a fresh URL', default: true }),
    retention: duration.optional().meta({ description: 'How long outputs are kept', default: '30d' }),
  })
    .optional()
    .meta({ description: 'How long outputs, and the URLs that lead to them, are good for' }),
  findings: findings.optional(),
  expect: z
    .array(expectation)
    .optional()
    .meta({ description: 'What `tasksim validate` tries out on a manual clock. Not inherited' }),
})

/** A scenario as it is written, in a file or in code. */
export type ScenarioInput = z.input<typeof scenarioSchema>
/** One checked layer: durations are milliseconds. */
export type ScenarioLayer = z.output<typeof scenarioSchema>
