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
import { readMediaSpec } from '../../src/kinds/output.js'
import { createMediaRenderer } from '../../src/media/media-renderer.js'
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

async function main(): Promise<void> {
  requireTools()
  const magick = ['magick', 'identify'].find((program) => isThere(program, '-version'))
  if (magick === undefined) print('ImageMagick is not installed: pictures are looked at by ffprobe alone.')
  let failed = 0
  for (const [kind, input] of orders) {
    const title = `${kind} ${JSON.stringify(input)}`
    try {
      await check(kind, input, magick)
      print(`ok      ${title}`)
    } catch (error) {
      failed += 1
      print(`FAILED  ${title}\n        ${(error as Error).message}`)
    }
  }
  print(`${orders.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}

function requireTools(): void {
  const missing = ['ffprobe', 'ffmpeg'].filter((program) => !isThere(program, '-version'))
  if (missing.length === 0) return
  throw new Error(`Failed to find ${missing.join(' and ')}. Install with \`apt-get install -y ffmpeg\`.`)
}

function isThere(program: string, argument: string): boolean {
  return spawnSync(program, [argument]).status === 0
}

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

function expectEqual(what: string, actual: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (is !== should) throw new Error(`Expected ${what} to be ${should}, got ${is}`)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

try {
  await main()
} catch (error) {
  process.stderr.write(`test:media: ${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
