import * as v from 'valibot'
import type { BuiltInKind } from './built-in-kinds.js'

/** A text with a description and other keywords of JSON Schema. */
function text(description: string, keywords: Readonly<Record<string, unknown>> = {}) {
  return v.pipe(v.string(), v.metadata({ description, ...keywords }))
}

/** A whole number from 0 up. */
function count(description: string) {
  return v.pipe(v.number(), v.metadata({ type: 'integer', minimum: 0, description }))
}

/** A list. */
function list<Item extends v.GenericSchema>(item: Item, description: string) {
  return v.pipe(v.array(item), v.metadata({ description }))
}

/** The URL of an output file. */
function fileUrl(description: string) {
  return text(description, {
    format: 'uri',
    examples: ['http://127.0.0.1:4010/files/task_82wsE0eJdLYSLPR9BIkYOFzx/0.png?expires=...'],
  })
}

const audioOutput = v.strictObject({ audio: fileUrl('The URL of the audio file') })
const imageOutput = v.strictObject({ images: list(fileUrl(''), 'The URLs of the images') })

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

const llmOutput = v.strictObject({
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

const toolOutput = v.strictObject({
  result: v.pipe(
    v.record(v.string(), v.unknown()),
    v.metadata({ description: 'The result of the tool', examples: [{ status: 'completed' }] }),
  ),
})

const word = v.strictObject({
  text: text('The word with its punctuation'),
  start: count('When the word starts, in milliseconds'),
  end: count('When the word ends, in milliseconds'),
  confidence: v.pipe(
    v.number(),
    v.metadata({ description: 'The confidence, 0 to 1', minimum: 0, maximum: 1 }),
  ),
  speaker: v.optional(text('The speaker, if the input has `speaker_labels: true`', { examples: ['A'] })),
})

const transcriptOutput = v.strictObject({
  text: text('The whole text'),
  words: list(word, 'The words in order'),
  srt: text('The captions in the SubRip format'),
  vtt: text('The captions in the WebVTT format'),
})

const videoOutput = v.strictObject({ video: fileUrl('The URL of the video') })

/** The default output of each kind, for the OpenAPI document. It is separate because only the document needs it. */
export const OUTPUT_SCHEMAS: Readonly<Record<BuiltInKind, v.GenericSchema>> = {
  image: imageOutput,
  video: videoOutput,
  audio: audioOutput,
  transcript: transcriptOutput,
  // The output of a tool accepts any fields in `result`, so it comes last.
  llm: llmOutput,
  tool: toolOutput,
}
