import { IMAGE_FORMATS, type ImageSpec, type Limits, type Range } from '../../engine/assets/media-spec.js'
import type { KindDefinition } from '../kind.js'
import {
  clamp,
  completeRange,
  formatsOf,
  isWithin,
  lowerCaseWord,
  type Parameter,
  type Parameters,
} from '../parameters.js'
import { filesResult } from '../produce-clip.js'
import { isAuto, readRatio, readSize, type Size, shortSideOf } from '../size.js'

const DEFAULT_SIZE: Size = { width: 1_024, height: 1_024 }
const DEFAULT_SIDE: Range = { min: 16, max: 4_096 }
const MAX_COUNT = 16
const RATIOS: Range = { min: 1 / 8, max: 8 }

const NAMED: Readonly<Record<string, Size>> = {
  square_hd: { width: 1_024, height: 1_024 },
  square: { width: 512, height: 512 },
  portrait_4_3: { width: 768, height: 1_024 },
  portrait_16_9: { width: 576, height: 1_024 },
  landscape_4_3: { width: 1_024, height: 768 },
  landscape_16_9: { width: 1_024, height: 576 },
}

/** Calculates the size of each resolution from the ratio of width to height. */
const RESOLUTIONS: Readonly<Record<string, (ratio: number) => Size>> = {
  '480p': byShortSide(480),
  '720p': byShortSide(720),
  '1080p': byShortSide(1_080),
  '1k': byArea(1_024),
  '2k': byArea(2_048),
  '4k': byArea(4_096),
}

const SIZES = `a size such as "1024x1536", or one of ${Object.keys(NAMED).join(', ')}`
const RESOLUTION_WORDS = '480p, 720p, 1080p, 1K, 2K, 4K'

/** Reads the spec of pictures. */
function readImageSpec(parameters: Parameters, limits: Limits): ImageSpec {
  const formats = formatsOf(IMAGE_FORMATS, limits.formats)
  const { width, height } = sizeIn(parameters, completeRange(limits.side, DEFAULT_SIDE))
  return {
    kind: 'image',
    width,
    height,
    format: parameters.choice(
      parameters.find('output_format', 'format'),
      formats.words,
      formats.fallback,
      (text) => text.replace(/^image\//, '').replace(/^jpg$/, 'jpeg'),
    ),
    count: parameters.integer(
      parameters.find('n', 'num_images'),
      { min: 1, max: limits.images ?? MAX_COUNT },
      1,
    ),
  }
}

function sizeIn(parameters: Parameters, side: Range): Size {
  const [width, height] = [parameters.find('width'), parameters.find('height')]
  if (width !== undefined || height !== undefined) {
    const noun = 'a whole number of pixels'
    return {
      width: parameters.integer(width, side, DEFAULT_SIZE.width, noun),
      height: parameters.integer(height, side, DEFAULT_SIZE.height, noun),
    }
  }
  const size = parameters.find('size', 'image_size')
  if (size !== undefined && resolutionOf(size) === undefined) return namedSize(parameters, size, side)
  return sizeByRatio(parameters, parameters.find('resolution') ?? size, side)
}

function namedSize(parameters: Parameters, given: Parameter, side: Range): Size {
  const { value } = given
  if (isAuto(value)) return clampSize(DEFAULT_SIZE, side)
  const isName = typeof value === 'string' && Object.hasOwn(NAMED, value)
  const size = isName ? NAMED[value] : readSize(value)
  if (size === undefined) return parameters.reject(given, SIZES, clampSize(DEFAULT_SIZE, side))
  return checkSize(parameters, given, size, side)
}

function sizeByRatio(parameters: Parameters, resolution: Parameter | undefined, side: Range): Size {
  const exact = resolution && readSize(resolution.value)
  if (resolution !== undefined && exact !== undefined) return checkSize(parameters, resolution, exact, side)
  const shape = parameters.find('aspect_ratio')
  const given = resolution ?? shape
  if (given === undefined) return clampSize(DEFAULT_SIZE, side)
  const ratio = ratioOf(parameters, shape)
  return checkSize(parameters, given, sizeFor(parameters, resolution, ratio), side)
}

function sizeFor(parameters: Parameters, resolution: Parameter | undefined, ratio: number): Size {
  const fallback = byArea(1_024)(ratio)
  if (resolution === undefined || isAuto(resolution.value)) return fallback
  return (
    resolutionOf(resolution)?.(ratio) ??
    parameters.reject(resolution, `one of ${RESOLUTION_WORDS}`, nearestSize(resolution, ratio) ?? fallback)
  )
}

function ratioOf(parameters: Parameters, given: Parameter | undefined): number {
  if (given === undefined || isAuto(given.value)) return 1
  const ratio = readRatio(given.value)
  if (ratio !== undefined && isWithin(ratio, RATIOS)) return ratio
  return parameters.reject(
    given,
    'a ratio of width to height such as "16:9", from 1:8 to 8:1',
    ratio === undefined ? 1 : clamp(ratio, RATIOS),
  )
}

function resolutionOf({ value }: Parameter): ((ratio: number) => Size) | undefined {
  const name = lowerCaseWord(value)
  return Object.hasOwn(RESOLUTIONS, name) ? RESOLUTIONS[name] : undefined
}

/** The size of a resolution such as 540p, which few models have. */
function nearestSize({ value }: Parameter, ratio: number): Size | undefined {
  const side = typeof value === 'string' ? shortSideOf(value) : undefined
  return side === undefined ? undefined : byShortSide(clamp(side, DEFAULT_SIDE))(ratio)
}

/** Checks a size; the replacement is the nearest size with the same ratio. */
function checkSize(parameters: Parameters, given: Parameter, size: Size, side: Range): Size {
  const { width, height } = size
  const isWhole = Number.isInteger(width) && Number.isInteger(height)
  if (isWhole && isWithin(width, side) && isWithin(height, side)) return size
  const factor = Math.min(1, side.max / Math.max(width, height, 1))
  const nearest = { width: Math.round(width * factor), height: Math.round(height * factor) }
  return parameters.reject(
    given,
    `a size of whole pixels, from ${side.min} to ${side.max} on each side`,
    clampSize(nearest, side),
  )
}

function clampSize({ width, height }: Size, side: Range): Size {
  return { width: clamp(width, side), height: clamp(height, side) }
}

/** Sizes with a short side of fixed length, as in video resolutions. */
function byShortSide(short: number): (ratio: number) => Size {
  return (ratio) => {
    const long = 2 * Math.round((short * Math.max(ratio, 1 / ratio)) / 2)
    return ratio >= 1 ? { width: long, height: short } : { width: short, height: long }
  }
}

/** Sizes with the area of a square of this side, for any ratio. The sides are multiples of 8, as in real models. */
function byArea(side: number): (ratio: number) => Size {
  const round = (pixels: number) => 8 * Math.round(pixels / 8)
  return (ratio) => ({ width: round(side * Math.sqrt(ratio)), height: round(side / Math.sqrt(ratio)) })
}

/** Models that generate one or more images. */
export const image: KindDefinition<'image'> = {
  name: 'image',
  models: 'Image models',
  pollInterval: 1_000,
  example: { model: 'example/image', input: { prompt: 'a lighthouse at dawn' } },
  order: readImageSpec,
  produce({ media }) {
    const images = media?.kind === 'image' ? media.count : 1
    return { result: filesResult(images), usage: { images } }
  },
  outputOf: (files, urlOf) => ({ images: Array.from({ length: files }, (_, file) => urlOf(file)) }),
}
