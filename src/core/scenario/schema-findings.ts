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
    poll_interval: closed({ image: time, video: time, audio: time, tool: time, llm: time })
      .optional()
      .meta({ description: 'The shortest time between two polls of a task, by its kind' }),
    tolerance: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .meta({ description: 'The share by which a client may be faster than it should, 0 to 1' }),
    fast_polls: z.int().min(1).optional().meta({ description: 'How many polls of a task must be too fast' }),
    polls_after_end: count.meta({ description: 'How many looks at a finished task in a row are fine' }),
    longest_wait: time.meta({ description: 'How long after its creation a task may still be polled' }),
    failed_polls: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'After how many failed polls in a row a task may be given up' }),
    retry_within: time.meta({ description: 'Within which time the same request is a repetition' }),
    silence: time.meta({ description: 'How long nothing must have come until nothing is expected any more' }),
    downloads: count.meta({ description: 'How often the same file may be downloaded' }),
    webhook_answer: time.meta({ description: 'How long a receiver may take to acknowledge a webhook' }),
  })
    .optional()
    .meta({ description: 'From where on something counts as a mistake' }),
}).meta({ description: 'What counts as a mistake of the client; see GET /_sim/findings' })
