import * as v from 'valibot'
import { count, list, text } from '../output-schema-parts.js'

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

export const transcriptOutput = v.strictObject({
  text: text('The whole text'),
  words: list(word, 'The words in order'),
  srt: text('The captions in the SubRip format'),
  vtt: text('The captions in the WebVTT format'),
})
