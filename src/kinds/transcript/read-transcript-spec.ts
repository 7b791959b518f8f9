import { completeRange, type Limits } from '../../engine/assets/limits.js'
import type { TranscriptSpec } from '../../engine/assets/media-spec.js'
import type { Parameters } from '../parameters.js'

/**
 * Reads the duration of the audio to transcribe. The simulator does not download the audio, so the duration is a
 * parameter: by default, 30 seconds.
 */
export function readTranscriptSpec(parameters: Parameters, { seconds }: Limits): TranscriptSpec {
  return {
    kind: 'transcript',
    seconds: parameters.seconds(
      parameters.find('duration', 'audio_duration'),
      completeRange(seconds, { min: 0.5, max: 600 }),
      30,
    ),
  }
}
