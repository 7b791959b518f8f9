import type { Limits, TranscriptSpec } from '../../engine/assets/media-spec.js'
import { after } from '../../engine/awaitable.js'
import { Lazy } from '../../engine/lazy.js'
import type { KindDefinition } from '../kind.js'
import { completeRange, type Parameters } from '../parameters.js'

/**
 * Reads the duration of the audio to transcribe. The simulator does not download the audio, so the duration is a
 * parameter: by default, 30 seconds.
 */
function readTranscriptSpec(parameters: Parameters, { seconds }: Limits): TranscriptSpec {
  return {
    kind: 'transcript',
    seconds: parameters.seconds(
      parameters.find('duration', 'audio_duration'),
      completeRange(seconds, { min: 0.5, max: 600 }),
      30,
    ),
  }
}

/** Models that transcribe speech. The code that writes transcripts is loaded on first use. */
export const transcript: KindDefinition<'transcript'> = {
  name: 'transcript',
  models: 'Transcription models',
  pollInterval: 1_000,
  example: { model: 'example/transcript', input: { audio_url: 'https://example.com/a.mp3', duration: 30 } },
  order: readTranscriptSpec,
  produce(task) {
    const { media } = task
    const seconds = media?.kind === 'transcript' ? media.seconds : 0
    return after(writer.get(), ({ writeTranscript }) =>
      after(writeTranscript(task, seconds), (output) => ({
        result: { files: 0, output },
        usage: { seconds },
      })),
    )
  },
}

const writer = new Lazy(() => import('./write-transcript.js'))
