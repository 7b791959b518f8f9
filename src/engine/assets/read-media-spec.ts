import type { JsonObject } from '../json.js'
import { Recent } from '../recent.js'
import type { Kind } from '../tasks/task.js'
import { completeRange, type Limits, type MediaSettings } from './limits.js'
import { AUDIO_FORMATS, type AudioSpec, type MediaSpec } from './media-spec.js'
import { formatsOf, Parameters } from './parameters.js'
import { readImageSpec } from './read-image-spec.js'
import { readVideoSpec } from './read-video-spec.js'

// Most tasks have one of a few specs; sharing them saves memory.
const specs = new Recent<string, MediaSpec>()

/**
 * Reads the media spec from an input. The defaults are a PNG of 1024 x 1024 pixels, five seconds of silent video in
 * 720p and 16:9, and five seconds of MP3.
 * @returns undefined for a kind without media
 * @throws InputError if the model does not support a value and is not lenient
 */
export function readMediaSpec(
  kind: Kind,
  input: JsonObject,
  { lenient = false, limits = {} }: MediaSettings = {},
): MediaSpec | undefined {
  const parameters = new Parameters(input, lenient)
  switch (kind) {
    case 'image':
      return share(readImageSpec(parameters, limits))
    case 'video':
      return share(readVideoSpec(parameters, limits))
    case 'audio':
      return share(readAudioSpec(parameters, limits))
    default:
      return undefined
  }
}

function readAudioSpec(parameters: Parameters, { seconds, formats }: Limits): AudioSpec {
  const possible = formatsOf(AUDIO_FORMATS, formats)
  return {
    kind: 'audio',
    format: parameters.choice(parameters.find('output_format', 'format'), possible.words, possible.fallback),
    seconds: parameters.seconds(
      parameters.find('duration'),
      completeRange(seconds, { min: 0.5, max: 300 }),
      5,
    ),
  }
}

function share(spec: MediaSpec): MediaSpec {
  const key = Object.values(spec).join(' ')
  const known = specs.get(key)
  if (known !== undefined) return known
  specs.set(key, spec)
  return spec
}
