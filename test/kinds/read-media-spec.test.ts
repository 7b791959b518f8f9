import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MediaSettings } from '../../src/engine/assets/media-spec.js'
import { IMAGE_FORMATS, type MediaSpec } from '../../src/engine/assets/media-spec.js'
import { InputError } from '../../src/engine/tasks/kinds.js'
import type { JsonObject, JsonValue, Kind } from '../../src/index.js'
import { readMediaSpec } from '../../src/kinds/built-in-kinds.js'
import { runs } from '../support/deep.js'

const USUAL = {
  image: { kind: 'image', width: 1_024, height: 1_024, format: 'png', count: 1 },
  video: { kind: 'video', width: 1_280, height: 720, format: 'mp4', seconds: 5, sound: false },
  audio: { kind: 'audio', format: 'mp3', seconds: 5 },
} as const

type Media = keyof typeof USUAL

test.each<[Media, JsonObject, Partial<MediaSpec>]>([
  ['image', {}, {}],
  ['image', { prompt: 'x', width: null, size: null }, {}],
  ['image', { width: 640, height: 480 }, { width: 640, height: 480 }],
  ['image', { width: 640 }, { width: 640 }],
  ['image', { size: '1024x1536' }, { height: 1_536 }],
  ['image', { size: '1536*1024' }, { width: 1_536 }],
  ['image', { size: 'auto' }, {}],
  ['image', { size: '2K' }, { width: 2_048, height: 2_048 }],
  ['image', { image_size: 'landscape_16_9' }, { height: 576 }],
  ['image', { image_size: 'portrait_4_3' }, { width: 768 }],
  ['image', { image_size: { width: 800, height: 600 } }, { width: 800, height: 600 }],
  ['image', { aspect_ratio: '16:9' }, { width: 1_368, height: 768 }],
  ['image', { aspect_ratio: '16:9', resolution: '720p' }, { width: 1_280, height: 720 }],
  ['image', { aspect_ratio: '9:16', resolution: '1080p' }, { width: 1_080, height: 1_920 }],
  ['image', { aspect_ratio: '1:1', resolution: '2K' }, { width: 2_048, height: 2_048 }],
  ['image', { aspect_ratio: '4:3', resolution: '1k' }, { width: 1_184, height: 888 }],
  ['image', { aspect_ratio: 'auto', resolution: '480p' }, { width: 480, height: 480 }],
  ['image', { resolution: '640x360' }, { width: 640, height: 360 }],
  ['image', { output_format: 'jpg' }, { format: 'jpeg' }],
  ['image', { format: 'WEBP' }, { format: 'webp' }],
  ['image', { output_format: 'image/jpeg' }, { format: 'jpeg' }],
  ['image', { n: 3 }, { count: 3 }],
  ['image', { num_images: 16 }, { count: 16 }],
  ['video', {}, {}],
  ['video', { aspect_ratio: '9:16' }, { width: 720, height: 1_280 }],
  ['video', { aspect_ratio: '1:1', resolution: '1080p' }, { width: 1_080, height: 1_080 }],
  ['video', { resolution: '480p' }, { width: 854, height: 480 }],
  ['video', { size: '720x1280' }, { width: 720, height: 1_280 }],
  ['video', { size: '1080p' }, { width: 1_920, height: 1_080 }],
  ['video', { width: 1_920, height: 1_080 }, { width: 1_920, height: 1_080 }],
  ['video', { height: 480 }, { width: 854, height: 480 }],
  ['video', { duration: 8 }, { seconds: 8 }],
  ['video', { duration: '8' }, { seconds: 8 }],
  ['video', { duration: '8.5s' }, { seconds: 8.5 }],
  ['video', { duration: 5.123_456 }, { seconds: 5.123 }],
  ['video', { generate_audio: true }, { sound: true }],
  ['audio', {}, {}],
  ['audio', { output_format: 'wav', duration: 120 }, { format: 'wav', seconds: 120 }],
])('a specification of kind %s with %j differs from the default in %j', (kind, input, expected) => {
  expect(readMediaSpec(kind, input)).toEqual({ ...USUAL[kind], ...expected })
})

test.each<[Kind, string, JsonValue, string]>([
  ['image', 'width', 0, 'a whole number of pixels from 16 to 4096'],
  ['image', 'width', -1, '16 to 4096'],
  ['image', 'height', 100_000, '16 to 4096'],
  ['image', 'width', 'abc', 'a whole number of pixels'],
  ['image', 'width', 10.5, 'a whole number of pixels'],
  ['image', 'size', 'huge', '"1024x1536"'],
  ['image', 'size', '99999x1', '16 to 4096 on each side'],
  ['image', 'size', 1_024, '"1024x1536"'],
  ['image', 'image_size', 'panorama', 'landscape_16_9'],
  ['image', 'image_size', { width: 1, height: 1 }, '16 to 4096 on each side'],
  ['image', 'image_size', { width: 100.5, height: 100 }, 'whole pixels'],
  ['image', 'aspect_ratio', 'wide', '"16:9"'],
  ['image', 'aspect_ratio', '0:1', '"16:9"'],
  ['image', 'aspect_ratio', '100:1', 'from 1:8 to 8:1'],
  ['image', 'resolution', '8K', '480p, 720p, 1080p, 1K, 2K, 4K'],
  ['image', 'output_format', 'tiff', '`png`, `jpeg` or `webp`'],
  ['image', 'format', 7, '`png`, `jpeg` or `webp`'],
  ['image', 'n', 17, 'a whole number from 1 to 16'],
  ['image', 'num_images', 0, 'a whole number from 1 to 16'],
  ['video', 'duration', 36_000, 'a number of seconds from 0.5 to 60'],
  ['video', 'duration', 0.4, 'from 0.5 to 60'],
  ['video', 'duration', 'long', 'a number of seconds'],
  ['video', 'duration', '10h', 'a number of seconds'],
  ['video', 'aspect_ratio', '4:3', '`16:9`, `9:16` or `1:1`'],
  ['video', 'resolution', '8K', '`480p`, `720p` or `1080p`'],
  ['video', 'size', '640x480', '1280x720'],
  ['video', 'width', 1, '1280x720'],
  ['video', 'output_format', 'avi', '`mp4`'],
  ['video', 'generate_audio', 'yes', 'true or false'],
  ['audio', 'format', 'midi', '`mp3` or `wav`'],
  ['audio', 'duration', 301, 'from 0.5 to 300'],
])('a request of kind %s is rejected if %s is %j', (kind, name, value, expected) => {
  const order = () => readMediaSpec(kind, { [name]: value })
  expect(order).toThrow(InputError)
  expect(order).toThrow(expected)
  expect(order).toThrow(`input.${name}`)
})

test.each<[Media, JsonObject, Partial<MediaSpec>]>([
  ['image', { width: 0, height: 100_000 }, { width: 16, height: 4_096 }],
  ['image', { size: '8192x4096' }, { width: 4_096, height: 2_048 }],
  ['image', { size: 'huge' }, {}],
  ['image', { aspect_ratio: '100:1' }, { width: 2_896, height: 360 }],
  ['image', { resolution: '8K', n: 99 }, { width: 4_096, height: 4_096, count: 16 }],
  ['image', { resolution: '540p', aspect_ratio: '16:9' }, { width: 960, height: 540 }],
  ['image', { output_format: 'tiff' }, {}],
  ['video', { duration: 36_000, resolution: '4K' }, { seconds: 60, width: 1_920, height: 1_080 }],
  ['video', { resolution: '580p' }, { width: 854, height: 480 }],
  ['video', { size: '768P' }, {}],
  ['video', { aspect_ratio: '4:3', duration: 'auto' }, {}],
  ['video', { aspect_ratio: '3:4' }, { width: 720, height: 1_280 }],
  ['video', { aspect_ratio: '21:9', n: 9 }, { count: 4 }],
  ['video', { aspect_ratio: 'adaptive', resolution: 'match_input_image' }, {}],
  ['video', { size: '1792x1024' }, { width: 1_920, height: 1_080 }],
  ['audio', { duration: 0 }, { seconds: 0.5 }],
])('a lenient model uses the nearest value for %s %j', (kind, input, expected) => {
  expect(readMediaSpec(kind, input, { lenient: true })).toEqual({ ...USUAL[kind], ...expected })
})

test('a model has the configured limits, and its default specification respects them', () => {
  const settings: MediaSettings = {
    limits: { side: { max: 512 }, images: 2, seconds: { min: 6 }, formats: ['webp', 'jpeg'] },
  }
  expect(readMediaSpec('image', {}, settings)).toMatchObject({ width: 512, height: 512, format: 'jpeg' })
  expect(readMediaSpec('video', {}, settings)).toMatchObject({ seconds: 6 })
  expect(() => readMediaSpec('image', { width: 513 }, settings)).toThrow('16 to 512')
  expect(() => readMediaSpec('image', { n: 3 }, settings)).toThrow('1 to 2')
  expect(() => readMediaSpec('image', { format: 'png' }, settings)).toThrow('`jpeg` or `webp`')
  expect(() => readMediaSpec('video', { duration: 5 }, settings)).toThrow('6 to 60')
})

test('kinds without media specify none, whatever their input contains', () => {
  expect(readMediaSpec('tool', { width: 'abc' })).toBeUndefined()
  expect(readMediaSpec('llm', { format: 'json' })).toBeUndefined()
})

const PARAMETERS = [
  'width',
  'height',
  'size',
  'image_size',
  'aspect_ratio',
  'resolution',
  'output_format',
  'n',
  'duration',
]
const anyInput = fc.dictionary(
  fc.constantFrom(...PARAMETERS, 'generate_audio'),
  fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    fc.constantFrom('1K', '16:9', '100x100', 'square', 'jpeg', 'auto', '7s'),
    fc.integer(),
  ),
) as fc.Arbitrary<JsonObject>

test('for any input, the specification is within its limits, or an error names the field', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<Media[]>('image', 'video', 'audio'),
      anyInput,
      fc.boolean(),
      (kind, input, lenient) => {
        try {
          const order = readMediaSpec(kind, input, { lenient })
          expect(isPossible(order)).toBe(true)
        } catch (error) {
          expect(lenient).toBe(false)
          expect(error).toBeInstanceOf(InputError)
          expect(Object.keys(input)).toContain((error as InputError).param.replace('input.', ''))
        }
      },
    ),
    { numRuns: runs(200, 1_000) },
  )
})

function isPossible(order: MediaSpec | undefined): boolean {
  if (order?.kind !== 'image') return order !== undefined && order.seconds >= 0.5 && order.seconds <= 300
  const { width, height, format, count } = order
  const sides = [width, height].every((side) => Number.isInteger(side) && side >= 16 && side <= 4_096)
  return sides && count >= 1 && count <= 16 && IMAGE_FORMATS.includes(format)
}

test('a long text is rejected as a keyword without conversion', () => {
  const text = 'AUTO'.repeat(1_000_000)
  for (const name of ['size', 'aspect_ratio', 'resolution', 'output_format'])
    expect(() => readMediaSpec('image', { [name]: text })).toThrow(InputError)
  expect(readMediaSpec('image', { size: text }, { lenient: true })).toMatchObject({ width: 1_024 })
})
