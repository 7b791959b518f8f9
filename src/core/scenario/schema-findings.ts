import { z } from 'zod'
import { FINDING_RULES } from '../findings/rules.js'
import { closed, duration, oneOf } from './schema-parts.js'

const count = z.int().min(0).optional()
const time = duration.optional()

/** Which rules are not looked at, and from where on something counts as a mistake. */
export const findings = closed({
  ignore: z
    .array(oneOf(FINDING_RULES.map(({ id }) => id)))
    .optional()
    .meta({ description: 'The rules that are not looked at' }),
  thresholds: closed({
    poll_interval: closed({
      image: time.meta({ description: 'Of a picture', default: '1s' }),
      video: time.meta({ description: 'Of a video', default: '3s' }),
      audio: time.meta({ description: 'Of a sound', default: '1s' }),
      tool: time.meta({ description: "Of a tool's task", default: '1s' }),
      llm: time.meta({ description: 'Of a chat', default: '1s' }),
    })
      .optional()
      .meta({ description: 'The shortest time between two polls of a task, by its kind' }),
    tolerance: z.number().min(0).max(1).optional().meta({
      description: 'The share by which a client may be faster than it should, 0 to 1',
      default: 0.1,
    }),
    fast_polls: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'How many polls of a task must be too fast', default: 3 }),
    polls_after_end: count.meta({
      description: 'How many looks at a finished task in a row are fine',
      default: 2,
    }),
    longest_wait: time.meta({
      description: 'How long after its creation a task may still be polled',
      default: '1h',
    }),
    failed_polls: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'After how many failed polls in a row a task may be given up', default: 3 }),
    retry_within: time.meta({
      description: 'Within which time the same request is a repetition',
      default: '60s',
    }),
    silence: time.meta({
      description: 'How long nothing must have come until nothing is expected any more',
      default: '60s',
    }),
    downloads: count.meta({ description: 'How often the same file may be downloaded', default: 5 }),
    webhook_answer: time.meta({
      description: 'How long a receiver may take to acknowledge a webhook',
      default: '5s',
    }),
  })
    .optional()
    .meta({ description: 'From where on something counts as a mistake' }),
}).meta({ description: 'What counts as a mistake of the client; see GET /_sim/findings' })
