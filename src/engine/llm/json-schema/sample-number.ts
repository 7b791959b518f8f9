import type { Random } from '../../random.js'
import type { Schema } from './merge.js'

/** Among how many values, or how far from the nearest bound, a number is drawn. */
const SPAN = 1_000_000
const ORDINARY_SPAN = 100
const TRIES = 20

/** A number within the bounds of a schema; the nearest to them where nothing is within. */
export function sampleNumber(schema: Schema, isInteger: boolean, random: Random): number {
  const bounds = boundsOf(schema)
  const step = stepOf(schema, isInteger)
  return step === undefined ? between(bounds, random) : onGrid(bounds, step, random)
}

interface Bounds {
  readonly low: number
  readonly high: number
  /** Whether a value lies where it must not: on or beyond an end that is no value itself. */
  isOutside(value: number): boolean
}

function boundsOf(schema: Schema): Bounds {
  const least = ends(schema['minimum'], schema['exclusiveMinimum'], Math.max)
  const most = ends(schema['maximum'], schema['exclusiveMaximum'], Math.min)
  const low = least.end ?? Math.min(0, (most.end ?? 0) - (most.end === undefined ? 0 : ORDINARY_SPAN))
  const high = most.end ?? Math.max(low, 0) + ORDINARY_SPAN
  return {
    low,
    high,
    isOutside: (value) =>
      value < low ||
      value > high ||
      (value === least.open && value === low) ||
      (value === most.open && value === high),
  }
}

/** One end of a range. Old schemas say `exclusiveMinimum: true` of their minimum, new ones a number. */
function ends(closed: unknown, open: unknown, tighter: (a: number, b: number) => number) {
  const own = typeof closed === 'number' ? closed : undefined
  const strict = open === true ? own : typeof open === 'number' ? open : undefined
  if (own === undefined || strict === undefined) return { end: own ?? strict, open: strict }
  return { end: tighter(own, strict), open: strict }
}

function stepOf({ multipleOf }: Schema, isInteger: boolean): number | undefined {
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : undefined
  if (!isInteger || step === undefined) return step ?? (isInteger ? 1 : undefined)
  for (let factor = 1; factor <= 1_000; factor++) if (Number.isInteger(step * factor)) return step * factor
  return step
}

function onGrid({ low, high, isOutside }: Bounds, step: number, random: Random): number {
  let first = Math.ceil(low / step)
  if (isOutside(first * step)) first += 1
  const count = Math.max(1, Math.min(Math.floor(high / step) - first + 1, SPAN))
  let value = first * step
  for (let attempt = 0; attempt < TRIES; attempt++) {
    // 3 * 0.1 is no multiple of 0.1 to a validator, nor is 0.3: another one is.
    value = Number(((first + random.int(count)) * step).toPrecision(15))
    if (Number.isInteger(value / step) && !isOutside(value)) return value
  }
  return value
}

function between({ low, high, isOutside }: Bounds, random: Random): number {
  const start = Math.max(low, Math.min(0, high - SPAN))
  const width = Math.min(high - start, SPAN)
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const value = start + random.float() * width
    const short = Math.round(value * 100) / 100
    if (!isOutside(short)) return short
    if (!isOutside(value)) return value
  }
  return start + width / 2
}
