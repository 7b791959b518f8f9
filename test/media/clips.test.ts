import fc from 'fast-check'
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny'
import { expect, test } from 'vitest'
import type { AudioSpec, VideoSpec } from '../../src/engine/assets/media-spec.js'
import type { JsonObject } from '../../src/index.js'
import { readMediaSpec } from '../../src/kinds/built-in-kinds.js'
import { renderAudio } from '../../src/media/audio/render-audio.js'
import { renderVideo } from '../../src/media/video/render-video.js'
import { runs } from '../support/deep.js'

const video = (input: JsonObject) => renderVideo(readMediaSpec('video', input) as VideoSpec)
const audio = (input: JsonObject) => renderAudio(readMediaSpec('audio', input) as AudioSpec)

const anyVideo = fc.record({
  aspect_ratio: fc.constantFrom('16:9', '9:16', '1:1'),
  resolution: fc.constantFrom('480p', '720p', '1080p'),
  duration: fc.integer({ min: 500, max: 60_000 }).map((milliseconds) => milliseconds / 1_000),
  generate_audio: fc.boolean(),
})

test('a video has the requested size and length, and sound on request', async () => {
  await fc.assert(
    fc.asyncProperty(anyVideo, async (order) => {
      const { width, height } = readMediaSpec('video', order) as VideoSpec
      const input = new Input({ source: new BufferSource(await video(order)), formats: ALL_FORMATS })
      const picture = await input.getPrimaryVideoTrack()
      const sound = await input.getPrimaryAudioTrack()
      expect([
        await picture?.getCodec(),
        await picture?.getDisplayWidth(),
        await picture?.getDisplayHeight(),
      ]).toEqual(['avc', width, height])
      expect(await sound?.getCodec()).toBe(order.generate_audio ? 'aac' : undefined)
      expect(await input.computeDuration()).toBeCloseTo(order.duration, 3)
    }),
    { numRuns: runs(2, 15) },
  )
})

test('a video begins with a key frame, and has one in every second', async () => {
  const input = new Input({ source: new BufferSource(await video({ duration: 9.5 })), formats: ALL_FORMATS })
  const track = await input.getPrimaryVideoTrack()
  if (track === null) throw new Error('no video')
  const keys: number[] = []
  for await (const packet of new EncodedPacketSink(track).packets())
    if (packet.type === 'key') keys.push(Math.round(packet.timestamp * 1_000) / 1_000)
  expect(keys).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('the same specification produces the same bytes, and the index precedes the frames', async () => {
  const bytes = Buffer.from(await video({ duration: 2, generate_audio: true }))
  expect(bytes.equals(await video({ duration: 2, generate_audio: true }))).toBe(true)
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
  for (const header of ['mvhd', 'tkhd', 'mdhd']) {
    const at = bytes.indexOf(header)
    expect(bytes.subarray(at + 8, at + 16).every((byte) => byte === 0)).toBe(true)
  }
})

test('an mp3 has the requested length, to half a frame of 24 ms', async () => {
  await fc.assert(
    fc.asyncProperty(fc.double({ min: 0.5, max: 300, noNaN: true }), async (duration) => {
      const bytes = await audio({ duration })
      const frames = bytes.length / 192
      expect(Number.isInteger(frames)).toBe(true)
      expect(Math.abs(frames * 0.024 - duration)).toBeLessThanOrEqual(0.0131)
      for (let frame = 0; frame < frames; frame++)
        expect([bytes[192 * frame], (bytes[192 * frame + 1] ?? 0) & 0xfe]).toEqual([0xff, 0xfa])
    }),
    { numRuns: runs(1, 5) },
  )
})

test('a wav has the requested length, to a sample, and is audible to the end', async () => {
  const bytes = Buffer.from(await audio({ format: 'wav', duration: 7.5 }))
  expect(bytes.readUInt32LE(40)).toBe(7.5 * 24_000 * 2)
  expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8)
  const peak = (from: number, to: number) => {
    let most = 0
    for (let at = 44 + from * 48_000; at < 44 + to * 48_000; at += 2)
      most = Math.max(most, bytes.readInt16LE(at))
    return most
  }
  for (const second of [0, 3, 6]) expect(peak(second, second + 1)).toBeGreaterThan(5_000)
})
