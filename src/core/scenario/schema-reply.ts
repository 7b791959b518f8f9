import { z } from 'zod'
import { closed } from './schema-parts.js'

/** What an LLM answers. */
export const reply = closed({
  text: z.string().max(100_000).optional().meta({
    description:
      'The text; {{last_user_message}} and {{input.prompt}} stand for what the client sent. Made up unless given',
  }),
  calls: z
    .string()
    .min(1)
    .optional()
    .meta({
      description:
        'When it calls one of the tools that it is given: auto (the last user message names it), always, never, or the name of one tool',
      examples: ['auto', 'always', 'never'],
    }),
  finish_reason: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'The word for why it ended, instead of the one that fits, such as content_filter' }),
}).meta({ description: 'What an LLM answers' })

/** What a scenario says of an LLM's answers; what it leaves open is made up. */
export type ReplySettings = z.output<typeof reply>
