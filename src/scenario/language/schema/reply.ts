import * as v from 'valibot'
import { closed, orElse } from './forms.js'
import { described, oneOf, optional, text } from './parts.js'

/** What an LLM answers. */
export const reply = closed('Reply', {
  text: optional(
    v.pipe(v.string(), v.maxLength(100_000)),
    'The text; {{last_user_message}} and {{input.NAME}} stand for what the client sent. Made up unless given',
  ),
  calls: optional(
    orElse(
      'expected auto, always, never, or { tool: NAME }',
      oneOf(['auto', 'always', 'never']),
      closed({ tool: described(text, 'The name of the tool') }),
    ),
    'When it calls a tool of those that it is given: auto (the last user message has its name in it), always, never, or always the one of a name',
  ),
  finish_reason: optional(
    text,
    'The word for why it ended, instead of the one that fits, such as content_filter',
  ),
})
