import type { AudioSpec } from '../../engine/assets/media-spec.js'
import { loadClip } from '../clips/load-clip.js'
import { renderWav } from './wav.js'

/** Each frame of the clip is independent, and has this duration and size. */
const FRAME_SECONDS = 0.024
const FRAME_BYTES = 192

/** Renders a repeated chime. The duration of an mp3 is exact to half a frame, 12 ms. */
export async function renderAudio({ format, seconds }: AudioSpec): Promise<Uint8Array<ArrayBuffer>> {
  if (format === 'wav') return renderWav(seconds)
  const clip = await loadClip('audio.mp3')
  return repeat(clip, Math.max(1, Math.round(seconds / FRAME_SECONDS)) * FRAME_BYTES)
}

function repeat(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const repeated = new Uint8Array(length)
  for (let at = 0; at < length; at += bytes.length) repeated.set(bytes.subarray(0, length - at), at)
  return repeated
}
