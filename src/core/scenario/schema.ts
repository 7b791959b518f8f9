import { z } from 'zod'
import { KINDS, OUTCOMES } from '../task/task.js'
import { EVENTS } from '../webhook/event.js'
import { httpUrl } from '../webhook/http-url.js'
import { delay } from './schema-delay.js'
import { expectation } from './schema-expect.js'
import { mediaSettings, ownFiles } from './schema-media.js'
import { closed, duration, inBounds, oneOf, ordered, orElse, textOf } from './schema-parts.js'

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
    .array(closed({ ...taskError.shape, weight: z.number().positive().optional() }))
    .min(1)
    .optional()
    .meta({
      description: 'What they fail with; `weight` (1 unless given) makes one more frequent than another',
    }),
})

const dollars = z.number().min(0).max(1_000_000).optional()
const price = closed({
  per_task: dollars,
  per_image: dollars,
  per_second: dollars,
  per_million_input_tokens: dollars,
  per_million_output_tokens: dollars,
}).meta({ description: 'US dollars; all parts that are given add up. Only successful tasks cost anything' })

const behaviour = {
  delay: delay.optional(),
  failures: failures.optional(),
  price: price.optional(),
  output: z.record(z.string(), z.json()).optional().meta({
    description:
      "The output of a successful task, instead of the kind's own; {{file}} stands for the URL of a file",
  }),
  files: ownFiles.optional(),
}

const kind = oneOf(KINDS)

/** The same fields for each kind. */
function byKind<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const fields = closed(shape).optional()
  return closed({ image: fields, video: fields, audio: fields, tool: fields, llm: fields })
}

const pattern = z.string().transform((text, context) => {
  try {
    new RegExp(text, 'u')
    return text
  } catch (error) {
    context.issues.push({ code: 'custom', input: text, message: (error as Error).message })
    return z.NEVER
  }
})

const fieldTest = orElse(
  'expected a value to equal, { matches: regular expression } or { min, max }',
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  closed({
    matches: pattern.optional().meta({ description: 'A regular expression that is found in the field' }),
    ignore_case: z.boolean().optional(),
    min: z.number().optional(),
    max: z.number().optional(),
  })
    .refine(inBounds, ordered('min', 'max'))
    .refine(({ matches, min, max }) => (matches === undefined) !== (min === undefined && max === undefined), {
      message: 'give either `matches`, or `min` and `max` or one of them',
    }),
)

const when = closed({
  model: z.string().optional().meta({ description: 'A model id; * stands for any characters' }),
  kind: kind.optional(),
  input: z
    .record(z.string(), fieldTest)
    .optional()
    .meta({ description: 'Fields of the input by name, or by path with dots (messages.0.content)' }),
  occurrence: orElse(
    'expected a whole number from 1 up, or { min, max }',
    z.int().min(1),
    closed({ min: z.int().min(1).optional(), max: z.int().min(1).optional() }).refine(
      inBounds,
      ordered('min', 'max'),
    ),
  )
    .optional()
    .meta({ description: 'Which time it is that this very model and input are asked for, counted from 1' }),
})

const rule = closed({
  name: z.string().min(1).optional(),
  when: when
    .optional()
    .meta({ description: 'All that is given must hold; nothing given matches every task' }),
  then: closed({
    ...behaviour,
    outcome: oneOf(OUTCOMES).optional(),
    error: taskError
      .optional()
      .meta({ description: 'What the task fails with, where the outcome is failed' }),
  }).meta({ description: "Overrides the model's behaviour for the tasks that match" }),
})

/** A header of one's own: not one that says how the request itself is to be read. */
const SIGNATURE_HEADER =
  /^(?!(?:content-.*|transfer-encoding|connection|expect|host|user-agent|te|upgrade)$)[a-z0-9-]+$/i

const limit = {
  running: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'How many tasks run at a time; further ones are queued' }),
  queued: z.int().min(0).optional().meta({ description: 'How many may wait; any number unless given' }),
}

const receiverUrl = textOf(httpUrl, 'expected a URL that starts with http:// or https://')

/** A scenario file, or one layer of a chain of them. */
export const scenarioSchema = closed({
  extends: z.string().min(1).optional().meta({
    description: 'The scenario that this one builds on: the name of a shipped one, or a path from this file',
  }),
  description: z.string().optional(),
  seed: z
    .union([z.string().min(1), z.int()])
    .transform(String)
    .optional(),
  auth: closed({
    keys: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .meta({ description: 'The accepted API keys; any, unless given' }),
  }).optional(),
  api: closed({
    create_status: z.literal([200, 201, 202]).optional(),
    cancel: z.boolean().optional().meta({ description: 'false: the cancel operation answers 404' }),
    errors: oneOf(['envelope', 'problem', 'detail'])
      .optional()
      .meta({ description: 'The body of a rejected request: { error }, RFC 9457, or { detail }' }),
    unknown_models: oneOf(['accept', 'reject']).optional(),
    hide_queue: z
      .boolean()
      .optional()
      .meta({ description: 'true: a create request is answered with `processing` always' }),
  }).optional(),
  defaults: closed({ ...behaviour, ...mediaSettings })
    .optional()
    .meta({ description: 'What holds for every model' }),
  kinds: byKind({ ...behaviour, ...mediaSettings })
    .optional()
    .meta({ description: 'What holds for every model of a kind' }),
  models: z
    .record(z.string().min(1), closed({ kind: kind.optional(), ...behaviour, ...mediaSettings }))
    .optional()
    .meta({ description: 'By model id, or by a pattern in which * stands for any characters' }),
  rules: z.array(rule).optional().meta({ description: 'The first one that matches a task decides' }),
  capacity: closed({
    ...limit,
    kinds: byKind(limit).optional(),
    models: z.record(z.string(), closed(limit)).optional(),
    keys: z.record(z.string(), closed(limit)).optional(),
    overflow: closed({
      status: z.literal([429, 503]).optional(),
      retry_after: duration.optional().meta({ description: 'What Retry-After says' }),
    })
      .optional()
      .meta({ description: 'What a create request is answered with when all lines are full' }),
  })
    .optional()
    .meta({
      description: 'How many tasks run at a time: of everything, of a kind, of a model, of an API key',
    }),
  webhooks: closed({
    secret: z.string().min(1).optional(),
    receivers: z
      .array(receiverUrl)
      .optional()
      .meta({ description: 'URLs that get the webhooks of every task' }),
    timeout: duration.optional(),
    retries: z
      .array(duration)
      .max(100)
      .optional()
      .meta({ description: 'The waits before each further attempt' }),
    signature: closed({
      header: z
        .string()
        .regex(SIGNATURE_HEADER, {
          error: () => 'expected the name of a header that nothing else uses, such as X-Service-Signature',
        })
        .optional(),
      encoding: oneOf(['hex', 'base64']).optional(),
      prefix: z
        .string()
        .regex(/^[\x20-\x7e]*$/)
        .optional()
        .meta({ description: 'Stands before the digest, such as sha256=' }),
    }).optional(),
    canceled_event: oneOf([EVENTS.canceled, 'task.cancelled', 'none']).optional(),
  }).optional(),
  outputs: closed({
    lifetime: duration.optional().meta({ description: 'How long an output URL is valid' }),
    renew: z.boolean().optional().meta({ description: 'Whether a later GET of the task gives a fresh URL' }),
    retention: duration.optional().meta({ description: 'How long outputs are kept' }),
  }).optional(),
  expect: z
    .array(expectation)
    .optional()
    .meta({ description: 'What `tasksim validate` tries out on a manual clock. Not inherited' }),
})

/** A scenario as it is written, in a file or in code. */
export type ScenarioInput = z.input<typeof scenarioSchema>
/** One checked layer: durations are milliseconds. */
export type ScenarioLayer = z.output<typeof scenarioSchema>
