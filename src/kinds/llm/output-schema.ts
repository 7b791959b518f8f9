import * as v from 'valibot'
import { count, list, text } from '../output-schema-parts.js'

const toolCall = v.strictObject({
  id: text('The id of the call'),
  type: v.literal('function'),
  function: v.strictObject({
    name: text('The name of the tool'),
    arguments: text('The arguments as JSON that matches the schema of the tool', {
      examples: ['{"city":"verbum"}'],
    }),
  }),
})

export const llmOutput = v.strictObject({
  message: v.strictObject({
    role: v.literal('assistant'),
    content: v.union([
      text('The text; null with a tool call, empty if reasoning used up all tokens'),
      v.null(),
    ]),
    tool_calls: v.optional(list(toolCall, 'The tool calls')),
  }),
  finish_reason: text('`stop`, `length` or `tool_calls`, or the value that the scenario sets', {
    examples: ['stop'],
  }),
  usage: v.strictObject({
    input_tokens: count('The tokens of the conversation'),
    output_tokens: count('The tokens of the response, including reasoning'),
    total_tokens: count('The sum of both'),
    reasoning_tokens: v.optional(count('The tokens of the reasoning, if `reasoning_effort` was given')),
  }),
})
