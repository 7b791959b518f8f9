import type { AudioSpec } from '../../engine/assets/media-spec.js'
import { loadClip } from '../clips/load-clip.js'

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

/** Samples per second, in one channel of 16 bits, as speech models produce. */
const RATE = 24_000
const BYTES = 2
const HEADER_BYTES = 44

/** The chime repeats after this many seconds. */
const PERIOD = 3

/** The notes: the start in seconds and the pitch in hertz (E5, A5). */
const NOTES = [
  { start: 0.05, pitch: 659.255 },
  { start: 0.5, pitch: 880 },
]

const LOUDNESS = 0.28

/** Renders a repeated chime as a WAV file, exact to a sample. */
function renderWav(seconds: number): Uint8Array<ArrayBuffer> {
  const samples = Math.round(seconds * RATE)
  const file = new Uint8Array(HEADER_BYTES + samples * BYTES)
  writeHeader(new DataView(file.buffer), samples * BYTES)
  const period = RATE * PERIOD
  const first = new DataView(file.buffer, HEADER_BYTES)
  for (let sample = 0; sample < Math.min(samples, period); sample++)
    first.setInt16(sample * BYTES, Math.round(chimeAt(sample / RATE) * 32_767), true)
  for (let sample = period; sample < samples; sample += period) {
    const to = HEADER_BYTES + sample * BYTES
    file.copyWithin(to, HEADER_BYTES, HEADER_BYTES + Math.min(period, samples - sample) * BYTES)
  }
  return file
}

/** The amplitude of the chime at a time, from -1 to 1. */
function chimeAt(time: number): number {
  const sound = NOTES.reduce((sum, { start, pitch }) => sum + noteAt(time - start, pitch), 0)
  return LOUDNESS * sound * Math.min(1, (PERIOD - time) / 0.3)
}

/** A bell: an attack of 8 ms, which avoids clicks, and a decay that is faster for the overtone. */
function noteAt(time: number, pitch: number): number {
  if (time < 0) return 0
  const attack = Math.min(time / 0.008, 1)
  const angle = 2 * Math.PI * pitch * time
  return attack * Math.exp(-2.2 * time) * (Math.sin(angle) + 0.25 * Math.exp(-3 * time) * Math.sin(2 * angle))
}

function writeHeader(view: DataView, dataBytes: number): void {
  const text = (at: number, word: string) => {
    for (let index = 0; index < word.length; index++) view.setUint8(at + index, word.charCodeAt(index))
  }
  text(0, 'RIFF')
  view.setUint32(4, HEADER_BYTES - 8 + dataBytes, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, RATE, true)
  view.setUint32(28, RATE * BYTES, true)
  view.setUint16(32, BYTES, true)
  view.setUint16(34, 8 * BYTES, true)
  text(36, 'data')
  view.setUint32(40, dataBytes, true)
}
