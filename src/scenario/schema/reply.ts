import * as v from 'valibot'
import { anyOf, closed } from './forms.js'
import { described, oneOf, optional, text } from './parts.js'

/** How an LLM replies. The text also applies to transcripts. */
export const reply = closed('Reply', {
  text: optional(
    v.pipe(v.string(), v.maxLength(100_000)),
    'The text of the reply of an LLM, or of a transcript. {{last_user_message}} and {{input.NAME}} insert the input. By default, the text is generated',
  ),
  calls: optional(
    anyOf(
      'expected auto, always, never, or { tool: NAME }',
      oneOf(['auto', 'always', 'never']),
      closed({ tool: described(text, 'The name of the tool') }),
    ),
    'When the model calls a tool from the request: auto (if the last user message contains the name of the tool), always, never, or always the named tool',
  ),
  finish_reason: optional(text, 'Overrides the finish reason, for example with content_filter'),
})
