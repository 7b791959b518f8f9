import type { AudioOrder } from '../../engine/assets/media-order.js'
import { loadClip } from '../clips/load-clip.js'
import { renderWav } from './wav.js'

/** Each frame of the clip is by itself, and lasts as long and is as large as any other. */
const FRAME_SECONDS = 0.024
const FRAME_BYTES = 192

/** Makes a sound: a chime, again and again until the duration is reached. An mp3 is exact to half a frame, 12 ms. */
export async function renderAudio({ format, seconds }: AudioOrder): Promise<Uint8Array<ArrayBuffer>> {
  if (format === 'wav') return renderWav(seconds)
  const clip = await loadClip('audio.mp3')
  return repeat(clip, Math.max(1, Math.round(seconds / FRAME_SECONDS)) * FRAME_BYTES)
}

function repeat(bytes: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const repeated = new Uint8Array(length)
  for (let at = 0; at < length; at += bytes.length) repeated.set(bytes.subarray(0, length - at), at)
  return repeated
}
