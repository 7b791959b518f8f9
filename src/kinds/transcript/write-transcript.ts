import { type Awaitable, after } from '../../engine/awaitable.js'
import type { JsonObject } from '../../engine/json.js'
import { Chance, type Random } from '../../engine/random.js'
import type { Task } from '../../engine/tasks/task.js'
import { fillText } from '../template.js'
import { drawPhrase, loadVocabulary, type Vocabulary } from '../vocabulary.js'
import { captionsOf } from './captions.js'
import { speak, timesOf } from './speak.js'
import { toSrt, toVtt } from './subtitles.js'

/** The fields with which real services ask for speakers. */
const SPEAKER_FIELDS = ['speaker_labels', 'diarize', 'diarization']

/**
 * Writes the transcript of an audio file: the text of the scenario, or generated prose that fills the duration. The
 * same task always gets the same transcript.
 * @param seconds the duration of the audio
 * @returns a promise only if code must be loaded
 */
export function writeTranscript({ id, input, plan }: Task, seconds: number): Awaitable<JsonObject> {
  const chance = Chance.of(id)
  const given = plan.reply?.text
  if (given !== undefined) return transcriptOf(wordsOf(fillText(given, input)), input, chance)
  return after(loadVocabulary(), (vocabulary) =>
    transcriptOf(prose(1_000 * seconds, vocabulary, chance.stream('transcript')), input, chance),
  )
}

function transcriptOf(spoken: readonly string[], input: JsonObject, chance: Chance): JsonObject {
  const hasSpeakers = SPEAKER_FIELDS.some((field) => Object.hasOwn(input, field) && input[field] === true)
  const words = speak(spoken, chance.stream('confidence'), hasSpeakers)
  const captions = captionsOf(words)
  return {
    text: spoken.join(' '),
    words: words.map((word) => ({ ...word })),
    srt: toSrt(captions),
    vtt: toVtt(captions),
  }
}

/** Generates the words that fit a duration, in milliseconds; at least one word. */
function prose(duration: number, vocabulary: Vocabulary, random: Random): string[] {
  const words: string[] = []
  while ((timesOf(words).at(-1)?.end ?? 0) < duration) words.push(...wordsOf(drawPhrase(vocabulary, random)))
  const fitting = timesOf(words).filter(({ end }) => end <= duration).length
  return asSentence(words.slice(0, Math.max(1, fitting)))
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}

/** Ends the last word with a period. */
function asSentence(words: readonly string[]): string[] {
  return words.map((word, index) => (index < words.length - 1 ? word : word.replace(/[^\p{L}\p{N}]*$/u, '.')))
}
