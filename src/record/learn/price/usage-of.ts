import { isJsonObject, type JsonObject } from '../../../engine/json.js'
import type { Usage } from '../../../engine/tasks/pricing.js'
import { readMediaSpec } from '../../../kinds/read-media-spec.js'
import { withoutMissing } from '../../without-missing.js'

/** Inputs of a real service are not limited as those of the simulator are. */
const UNLIMITED = { lenient: true, limits: { images: 1_000_000, seconds: { min: 0, max: 1_000_000 } } }

const INPUT_TOKENS = ['input_tokens', 'prompt_tokens']
const OUTPUT_TOKENS = ['output_tokens', 'completion_tokens']
const SECONDS = ['seconds', 'duration', 'audio_duration']

/** What a successful task consumed, from its output if that says so, otherwise from its input. */
export function usageOf(kind: string, input: JsonObject = {}, output: JsonObject = {}): Usage {
  const media = readMediaSpec(kind, input, UNLIMITED)
  const shown = isJsonObject(output['usage']) ? output['usage'] : {}
  const ordered = {
    images: media?.kind === 'image' ? media.count : undefined,
    seconds: media !== undefined && 'seconds' in media ? media.seconds : undefined,
  }
  return withoutMissing({
    images: imagesIn(output) ?? ordered.images,
    seconds: numberIn(shown, SECONDS) ?? numberIn(output, SECONDS) ?? ordered.seconds,
    inputTokens: numberIn(shown, INPUT_TOKENS),
    outputTokens: numberIn(shown, OUTPUT_TOKENS),
  })
}

function imagesIn({ images }: JsonObject): number | undefined {
  return Array.isArray(images) ? images.length : undefined
}

function numberIn(fields: JsonObject, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'number') return value
  }
  return undefined
}
