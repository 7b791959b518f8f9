import type { JsonValue } from '../../../engine/json.js'
import { Problem } from '../../../http/exchange/problem.js'

/**
 * In characters: three times the largest input. A template can contain an input any number of times, so that a small file
 * and a small request could otherwise fill the memory.
 */
const LARGEST = 32 * 1024 * 1024

/** The sizes of values, because a template may contain the same one many times. */
const sizes = new WeakMap<object, number>()

/** @throws Problem 500 if a filled template with this number of characters is too large */
export function checkSize(size: number): void {
  if (size <= LARGEST) return
  throw new Problem(
    'internal_error',
    `A template of the dialect would become larger than ${LARGEST / 1024 / 1024} MB with the values of this request or task. Send a smaller input, or use fewer placeholders for it in the dialect file.`,
  )
}

/**
 * The size of a list or mapping with one more value.
 * @throws Problem 500 if it is too large
 */
export function addSize(size: number, value: JsonValue): number {
  const sum = size + 1 + sizeOf(value)
  checkSize(sum)
  return sum
}

/** Notes the size of a list or mapping. */
export function withSize<Value extends object>(value: Value, size: number): Value {
  sizes.set(value, size)
  return value
}

/** About the number of characters of the JSON of a value. */
function sizeOf(value: JsonValue): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  const known = sizes.get(value)
  if (known !== undefined) return known
  let size = 0
  if (Array.isArray(value)) for (const item of value) size += 1 + sizeOf(item)
  else for (const [name, inner] of Object.entries(value)) size += 1 + name.length + sizeOf(inner)
  sizes.set(value, size)
  return size
}
