import type { Random } from '../../../engine/random.js'
import type { JsonSchema } from './json-schema.js'

/** The distance from the nearest bound in a schema with one bound or none. */
const USUAL_RANGE = 100
const MAX_STEPS = 1_000_000
const TRIES = 20

/** Generates a number within the bounds of a schema, or near them if they exclude every number. */
export function sampleNumber(schema: JsonSchema, isInteger: boolean, random: Random): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const least = Math.max(
    ...[minimum, exclusiveMinimum].map((bound) => (typeof bound === 'number' ? bound : -Infinity)),
  )
  const most = Math.min(
    ...[maximum, exclusiveMaximum].map((bound) => (typeof bound === 'number' ? bound : Infinity)),
  )
  const low = Number.isFinite(least) ? least : Math.min(0, Number.isFinite(most) ? most - USUAL_RANGE : 0)
  const high = Number.isFinite(most) ? most : Math.max(low, 0) + USUAL_RANGE
  const step = stepOf(multipleOf, isInteger)
  const isValid = (value: number) =>
    value >= low &&
    value <= high &&
    value !== exclusiveMinimum &&
    value !== exclusiveMaximum &&
    (step === undefined || Number.isInteger(value / step))
  let value = low
  for (let attempt = 0; attempt < TRIES; attempt++) {
    value = step === undefined ? low + random.float() * (high - low) : onGrid(low, high, step, random)
    const rounded = Math.round(value * 100) / 100
    if (step === undefined && isValid(rounded)) return rounded
    if (isValid(value)) return value
  }
  return value
}

function stepOf(multipleOf: unknown, isInteger: boolean): number | undefined {
  const step = typeof multipleOf === 'number' && multipleOf > 0 ? multipleOf : undefined
  return isInteger && !Number.isInteger(step) ? 1 : step
}

function onGrid(low: number, high: number, step: number, random: Random): number {
  const first = Math.ceil(low / step)
  const count = Math.min(Math.max(1, Math.floor(high / step) - first + 1), MAX_STEPS)
  return (first + random.int(count)) * step
}
