import type { JsonValue } from '../engine/json.js'
import { lowerCaseWord } from './parameters.js'

/** Width and height in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

const PIXELS = /^(\d{1,9}) ?[x×*] ?(\d{1,9})$/i
const RATIO = /^(\d{1,4}(?:\.\d{1,4})?)[:/](\d{1,4}(?:\.\d{1,4})?)$/

/** Parses a size: "1024x1536", or an object with `width` and `height`. */
export function readSize(value: JsonValue): Size | undefined {
  if (typeof value === 'string') {
    const match = PIXELS.exec(value)
    return match === null ? undefined : { width: Number(match[1]), height: Number(match[2]) }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { width, height } = value
  return typeof width === 'number' && typeof height === 'number' ? { width, height } : undefined
}

/** Parses a ratio of width to height, such as "16:9". */
export function readRatio(value: JsonValue): number | undefined {
  const match = typeof value === 'string' ? RATIO.exec(value) : null
  const ratio = Number(match?.[1]) / Number(match?.[2])
  return ratio > 0 && ratio < Infinity ? ratio : undefined
}

const RESOLUTION = /^(\d{2,4})p$/i
const SHORT_SIDES: Readonly<Record<string, number>> = { '1k': 1_080, '2k': 1_440, '4k': 2_160, '8k': 4_320 }

/** The short side of a video resolution in pixels, such as 540 of `540p` and 2160 of `4K`. */
export function shortSideOf(value: string): number | undefined {
  const name = lowerCaseWord(value)
  if (Object.hasOwn(SHORT_SIDES, name)) return SHORT_SIDES[name]
  const [, side] = RESOLUTION.exec(name) ?? []
  return side === undefined ? undefined : Number(side)
}

/** Whether a value explicitly requests the default size. */
export function isAuto(value: JsonValue): boolean {
  return lowerCaseWord(value) === 'auto'
}
