import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { AudioSpec, VideoSpec } from '../../src/engine/assets/media-spec.js'
import { Chance } from '../../src/engine/random.js'
import { readMediaSpec } from '../../src/kinds/built-in-kinds.js'
import { renderAudio } from '../../src/media/audio/render-audio.js'
import { compose } from '../../src/media/picture/compose.js'
import { toSvg } from '../../src/media/platform.js'
import { renderVideo } from '../../src/media/video/render-video.js'

/*
 * The tests compare hashes, so that every change is deliberate. `npx vitest run test/media -u` updates the hashes.
 * For pictures the hash covers the drawing, not the file, because encoders differ between machines.
 */

const hashOf = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex').slice(0, 16)

test('drawings are unchanged', async () => {
  const drawings: Record<string, string> = {}
  for (const [width, height, prompt] of [
    [1_024, 1_024, 'a lighthouse at dawn'],
    [720, 1_280, 'Приморский город 灯塔 🌅 منارة'],
    [2_048, 512, ''],
    [64, 64, 'tiny'],
    [512, 768, 'long '.repeat(400)],
  ] as const) {
    const subject = { width, height, prompt, model: 'acme/image-1' }
    const scene = await compose(subject, Chance.of(`task_${width}`).stream('picture'))
    drawings[`${width}x${height}`] = hashOf(toSvg(scene))
  }
  expect(drawings).toMatchInlineSnapshot(`
    {
      "1024x1024": "15160068c98345b9",
      "2048x512": "5ffffb8ca4d26c12",
      "512x768": "706f19044c4a6fdb",
      "64x64": "605e2a71173b2e27",
      "720x1280": "942fde625d44d9bd",
    }
  `)
})

test('videos and sounds are unchanged', async () => {
  const videos = [{}, { resolution: '480p', aspect_ratio: '9:16', duration: 3.3, generate_audio: true }]
  const sounds = [{}, { format: 'wav', duration: 4 }]
  const hashes = [
    ...videos.map(async (input) => hashOf(await renderVideo(readMediaSpec('video', input) as VideoSpec))),
    ...sounds.map(async (input) => hashOf(await renderAudio(readMediaSpec('audio', input) as AudioSpec))),
  ]
  expect(await Promise.all(hashes)).toMatchInlineSnapshot(`
    [
      "eaa3cef305f24c1e",
      "7336b0bc9ae121dd",
      "10089462fae187c2",
      "b87fe6bb96054b4b",
    ]
  `)
})
