/**
 * Checks files with independent tools: ffprobe and ffmpeg for videos, sounds and pictures, and ImageMagick if it is
 * installed. Install them from the operating system: `apt-get install -y ffmpeg imagemagick`.
 */

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileTypeOf } from '../../src/engine/assets/asset.js'
import type { MediaSpec } from '../../src/engine/assets/media-spec.js'
import type { JsonObject, Kind } from '../../src/index.js'
import { readMediaSpec } from '../../src/kinds/built-in-kinds.js'
import { createMediaRenderer } from '../../src/media/media-renderer.js'
import { expectEqual } from '../support/check.js'
import { chosen, harness, isInstalled, print, requirePrograms, runChecks } from '../support/runner.js'
import { aTask } from '../support/tasks.js'

const RATIOS = ['16:9', '9:16', '1:1']
const RESOLUTIONS = ['480p', '720p', '1080p']
/** The duration of a video frame or of an mp3 frame, in seconds. */
const TOLERANCE = 0.042

const orders: [Kind, JsonObject][] = [
  ...RATIOS.flatMap((aspect_ratio) =>
    RESOLUTIONS.map((resolution): [Kind, JsonObject] => [
      'video',
      { aspect_ratio, resolution, duration: 2.5 },
    ]),
  ),
  ...[0.5, 1.234, 8, 60].map((duration): [Kind, JsonObject] => [
    'video',
    { duration, generate_audio: true, resolution: '480p' },
  ]),
  ...['mp3', 'wav'].flatMap((format) =>
    [0.5, 7.77, 300].map((duration): [Kind, JsonObject] => ['audio', { format, duration }]),
  ),
  ...['png', 'jpeg', 'webp'].flatMap((output_format) =>
    ['1024x1024', '16x16', '333x777', '2048x512'].map((size): [Kind, JsonObject] => [
      'image',
      { size, output_format, prompt: 'a lighthouse 灯塔 🌅' },
    ]),
  ),
]

const folder = mkdtempSync(join(tmpdir(), 'tasksim-media-'))
const renderer = createMediaRenderer()

/** In milliseconds. */
const LONGEST = { run: 1_800_000, check: 120_000 }

await harness('test:media', LONGEST.run, async (words) => {
  requirePrograms('ffmpeg', 'ffprobe', 'ffmpeg')
  const magick = ['magick', 'identify'].find(isInstalled)
  if (magick === undefined) print('ImageMagick is not installed: pictures are looked at by ffprobe alone.')
  const checks = orders.map(([kind, input]) => ({
    title: `${kind} ${JSON.stringify(input)}`,
    run: () => check(kind, input, magick),
  }))
  try {
    return await runChecks(chosen(checks, words), { longest: LONGEST.check })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

async function check(kind: Kind, input: JsonObject, magick: string | undefined): Promise<void> {
  const media = readMediaSpec(kind, input) as MediaSpec
  const task = aTask({ kind, input, media })
  const file = join(folder, `file.${fileTypeOf(task, 0).extension}`)
  writeFileSync(file, await renderer.render(task, 0))
  const { streams, format } = JSON.parse(
    run('ffprobe', '-v', 'error', '-of', 'json', '-show_streams', '-show_format', file),
  ) as Probe
  expectEqual(
    'the codecs',
    streams.map(({ codec_name }) => codec_name),
    codecsOf(media),
  )
  if ('width' in media)
    expectEqual('the size', [streams[0]?.width, streams[0]?.height], [media.width, media.height])
  if ('seconds' in media) {
    for (const { duration } of [format, ...streams]) expectNear(Number(duration), media.seconds)
  }
  expectEqual('what the decoder complains of', decode(file), '')
  if (media.kind === 'image' && magick !== undefined) identify(magick, file, media)
}

interface Probe {
  readonly streams: readonly {
    readonly codec_name: string
    readonly width?: number
    readonly height?: number
    readonly duration?: string
  }[]
  readonly format: { readonly duration?: string }
}

function codecsOf(media: MediaSpec): string[] {
  if (media.kind === 'video') return media.sound ? ['h264', 'aac'] : ['h264']
  const codecs: Readonly<Record<string, string>> = { jpeg: 'mjpeg', wav: 'pcm_s16le' }
  return media.kind === 'transcript' ? [] : [codecs[media.format] ?? media.format]
}

/** Decodes a whole file, despite errors, and returns the messages of the decoder. */
function decode(file: string): string {
  const { stderr } = spawnSync('ffmpeg', ['-v', 'error', '-i', file, '-f', 'null', '-'], { encoding: 'utf8' })
  return stderr.trim()
}

function identify(
  magick: string,
  file: string,
  { format, width, height }: MediaSpec & { kind: 'image' },
): void {
  const command = magick === 'magick' ? ['identify'] : []
  const said = run(magick, ...command, '-format', '%m %w %h', file)
  expectEqual('what ImageMagick sees', said, `${format.toUpperCase()} ${width} ${height}`)
}

function run(program: string, ...args: string[]): string {
  return execFileSync(program, args, { encoding: 'utf8' })
}

function expectNear(seconds: number, expected: number): void {
  if (Math.abs(seconds - expected) <= TOLERANCE) return
  throw new Error(`Expected about ${expected} s, got ${seconds} s`)
}
