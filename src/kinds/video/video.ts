import type { Limits, VideoSpec } from '../../engine/assets/media-spec.js'
import type { JsonObject } from '../../engine/json.js'
import type { KindDefinition } from '../kind.js'
import { completeRange, type Parameter, type Parameters } from '../parameters.js'
import { produceClip } from '../produce-clip.js'
import { isAuto, readRatio, readSize, type Size, shortSideOf } from '../size.js'

const RATIOS = ['16:9', '9:16', '1:1'] as const
const RESOLUTIONS = ['480p', '720p', '1080p'] as const

type Ratio = (typeof RATIOS)[number]

type Resolution = (typeof RESOLUTIONS)[number]

const MAX_COUNT = 4

const LONG_SIDES: Readonly<Record<Resolution, number>> = { '480p': 854, '720p': 1_280, '1080p': 1_920 }

/** The nine supported sizes. */
const SIZES: readonly Size[] = RATIOS.flatMap((ratio) => RESOLUTIONS.map((name) => sizeOf(ratio, name)))

/** Whether a video can have this size. */
export function isVideoSize(size: Size): boolean {
  return SIZES.some(({ width, height }) => width === size.width && height === size.height)
}

/** Reads the spec of a video. */
function readVideoSpec(parameters: Parameters, { seconds }: Limits): VideoSpec {
  const count = parameters.integer(parameters.find('n'), { min: 1, max: MAX_COUNT }, 1)
  return {
    kind: 'video',
    ...(count > 1 && { count }),
    ...sizeIn(parameters),
    format: parameters.choice(parameters.find('output_format', 'format'), ['mp4'], 'mp4', (text) =>
      text.replace(/^video\//, ''),
    ),
    seconds: parameters.seconds(
      parameters.find('duration'),
      completeRange(seconds, { min: 0.5, max: 60 }),
      5,
    ),
    sound: soundIn(parameters),
  }
}

function sizeIn(parameters: Parameters): Size {
  const [width, height] = [parameters.find('width'), parameters.find('height')]
  const side = width ?? height
  if (side !== undefined) return supportedSize(parameters, side, sizeFromSides(width, height))
  const given = parameters.find('size', 'image_size')
  if (given !== undefined && !isAuto(given.value) && !isResolution(given))
    return supportedSize(parameters, given, readSize(given.value))
  const resolution = parameters.find('resolution') ?? given
  const exact = resolution && readSize(resolution.value)
  if (resolution !== undefined && exact !== undefined) return supportedSize(parameters, resolution, exact)
  return sizeOf(
    parameters.choice(withoutAuto(parameters.find('aspect_ratio')), RATIOS, '16:9', undefined, nearestRatio),
    parameters.choice(withoutAuto(resolution), RESOLUTIONS, '720p', undefined, nearestResolution),
  )
}

/** If only one side is given, the first size with this side applies. */
function sizeFromSides(width: Parameter | undefined, height: Parameter | undefined): Size | undefined {
  const [wide, high] = [width?.value, height?.value]
  const known = SIZES.find(
    (size) => size.width === (wide ?? size.width) && size.height === (high ?? size.height),
  )
  return known ?? readSize({ width: wide ?? high ?? null, height: high ?? wide ?? null })
}

function supportedSize(parameters: Parameters, given: Parameter, size: Size | undefined): Size {
  const known = SIZES.find(({ width, height }) => width === size?.width && height === size.height)
  const names = SIZES.map(({ width, height }) => `${width}x${height}`).join(', ')
  return known ?? parameters.reject(given, `one of ${names}, width and height together`, nearest(size))
}

function nearest(size: Size = sizeOf('16:9', '720p')): Size {
  const distance = ({ width, height }: Size) => Math.hypot(width - size.width, height - size.height)
  return SIZES.reduce((best, other) => (distance(other) < distance(best) ? other : best))
}

/** Whether a value is a resolution such as 540p, even if videos cannot have it. */
function isResolution({ value }: Parameter): boolean {
  return typeof value === 'string' && shortSideOf(value) !== undefined
}

/** The ratio of the nearest shape; of two that are equally near, the one that is not square. */
function nearestRatio(text: string): Ratio | undefined {
  const ratio = readRatio(text)
  if (ratio === undefined) return undefined
  return closest(RATIOS, (each) => Math.abs(Math.log((readRatio(each) ?? 1) / ratio)))
}

function nearestResolution(text: string): Resolution | undefined {
  const side = shortSideOf(text)
  return side === undefined
    ? undefined
    : closest(RESOLUTIONS, (each) => Math.abs((shortSideOf(each) ?? 0) - side))
}

/** The first of the items with the smallest distance, apart from errors of rounding. */
function closest<Item>(items: readonly [Item, ...Item[]], distance: (item: Item) => number): Item {
  return items.reduce((best, other) => (distance(other) < distance(best) - 1e-9 ? other : best), items[0])
}

function withoutAuto(given: Parameter | undefined): Parameter | undefined {
  return given !== undefined && isAuto(given.value) ? undefined : given
}

function soundIn(parameters: Parameters): boolean {
  const given = parameters.find('generate_audio')
  if (given === undefined || typeof given.value === 'boolean') return given?.value === true
  return parameters.reject(given, 'true or false', false)
}

function sizeOf(ratio: Ratio, resolution: Resolution): Size {
  const [short, long] = [Number.parseInt(resolution, 10), LONG_SIDES[resolution]]
  if (ratio === '1:1') return { width: short, height: short }
  return ratio === '16:9' ? { width: long, height: short } : { width: short, height: long }
}

/** Models that generate a video. */
export const video: KindDefinition<'video'> = {
  name: 'video',
  models: 'Video models',
  pollInterval: 3_000,
  example: { model: 'example/video', input: { prompt: 'waves', duration: 5 } },
  recognizes: (input) => Object.hasOwn(input, 'duration'),
  order: readVideoSpec,
  produce: produceClip,
  outputOf: (files, urlOf): JsonObject =>
    files === 1 ? { video: urlOf(0) } : { videos: Array.from({ length: files }, (_, file) => urlOf(file)) },
}
