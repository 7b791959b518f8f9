import { AUDIO_FORMATS, IMAGE_FORMATS } from '../../engine/assets/media-spec.js'
import type { InputFieldShape } from '../shapes.js'

const prompt: InputFieldShape = { name: 'prompt', type: 'text', example: 'a lighthouse at dawn' }
const ratios = ['16:9', '9:16', '1:1']

const choice = (name: string, values: readonly string[]): InputFieldShape => ({
  name,
  type: 'choice',
  values: [...values],
})
const number = (name: string, min: number, max: number, example?: string): InputFieldShape => ({
  name,
  type: 'number',
  min,
  max,
  ...(example !== undefined && { example }),
})

/** The fields of inputs that models of each built-in kind read, the most common first. */
const FIELDS: Readonly<Record<string, readonly InputFieldShape[]>> = {
  image: [
    prompt,
    { name: 'size', type: 'text', example: '1024x1024' },
    choice('aspect_ratio', [...ratios, '4:3', '3:4', '3:2', '2:3', '21:9']),
    choice('resolution', ['480p', '720p', '1080p', '1K', '2K', '4K']),
    number('n', 1, 16, '1'),
    choice('output_format', IMAGE_FORMATS),
  ],
  video: [
    prompt,
    number('duration', 0.5, 60, '5'),
    choice('aspect_ratio', ratios),
    choice('resolution', ['480p', '720p', '1080p']),
    { name: 'generate_audio', type: 'boolean' },
  ],
  audio: [prompt, number('duration', 0.5, 300, '5'), choice('output_format', AUDIO_FORMATS)],
  llm: [
    { name: 'messages', type: 'text', example: 'a lighthouse at dawn' },
    number('max_tokens', 1, 1_000_000, '1000'),
    number('temperature', 0, 2, '1'),
    choice('reasoning_effort', ['low', 'medium', 'high']),
  ],
  transcript: [
    { name: 'audio_url', type: 'text', example: 'https://example.com/speech.mp3' },
    number('duration', 0.5, 600, '30'),
  ],
  tool: [prompt],
}

/** The fields that models of a built-in kind read. */
export function inputFields(kind: string): InputFieldShape[] {
  return [...(FIELDS[kind] ?? [prompt])]
}
