import type { KindDefinition } from '../kind.js'
import { readTranscriptSpec } from './read-transcript-spec.js'

/** Models that transcribe speech. The code that writes transcripts is loaded on first use. */
export const transcript: KindDefinition<'transcript'> = {
  name: 'transcript',
  models: 'Transcription models',
  pollInterval: 1_000,
  example: { model: 'example/transcript', input: { audio_url: 'https://example.com/a.mp3', duration: 30 } },
  order: readTranscriptSpec,
  async produce(task) {
    const { media } = task
    const seconds = media?.kind === 'transcript' ? media.seconds : 0
    const { writeTranscript } = await import('./write-transcript.js')
    return { result: { files: 0, output: await writeTranscript(task, seconds) }, usage: { seconds } }
  },
}
