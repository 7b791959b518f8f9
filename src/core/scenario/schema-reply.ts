import { z } from 'zod'
import { closed, oneOf, orElse } from './schema-parts.js'

/** What an LLM answers. */
export const reply = closed({
  text: z.string().max(100_000).optional().meta({
    description:
      'The text; {{last_user_message}} and {{input.NAME}} stand for what the client sent. Made up unless given',
  }),
  calls: orElse(
    'expected auto, always, never, or { tool: NAME }',
    oneOf(['auto', 'always', 'never']),
    closed({ tool: z.string().min(1).meta({ description: 'The name of the tool' }) }),
  )
    .optional()
    .meta({
      description:
        'When it calls a tool of those that it is given: auto (the last user message has its name in it), always, never, or always the one of a name',
    }),
  finish_reason: z
    .string()
    .min(1)
    .optional()
    .meta({ description: 'The word for why it ended, instead of the one that fits, such as content_filter' }),
}).meta({ description: 'What an LLM answers' })

/** What a scenario says of an LLM's answers; what it leaves open is made up. */
export type ReplySettings = z.output<typeof reply>
