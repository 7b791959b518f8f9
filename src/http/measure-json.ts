const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const BLANK = 0x20

/** The size of a JSON value: it determines how long parsing and walking take. */
export interface JsonMeasure {
  /** The number of values, including the value itself and empty objects, without keys. */
  readonly values: number
  /** The number of nested objects and arrays. */
  readonly depth: number
}

/**
 * Measures JSON in one pass over its UTF-8, so that a value which would block the parser for seconds is never parsed.
 * For bytes that are not JSON, the result is meaningless, but measuring takes no longer.
 * @param limits measuring stops at the first value or level beyond these limits
 */
export function measureJson(bytes: Uint8Array, limits: JsonMeasure): JsonMeasure {
  let values = 1
  let level = 0
  let depth = 0
  let isAtStart = false
  for (let index = 0; index < bytes.length && values <= limits.values && depth <= limits.depth; index++) {
    const byte = bytes[index] as number
    if (byte <= BLANK) continue
    const isEnd = isClosing(byte)
    if (isAtStart && !isEnd) values += 1
    isAtStart = isOpening(byte)
    if (byte === QUOTE) index = endOfString(bytes, index)
    else if (byte === COMMA) values += 1
    else if (isEnd) level -= 1
    else if (isAtStart) depth = Math.max(depth, ++level)
  }
  return { values, depth }
}

/** @returns the index of the quote that ends a string */
function endOfString(bytes: Uint8Array, start: number): number {
  let index = start + 1
  for (; index < bytes.length && bytes[index] !== QUOTE; index++) if (bytes[index] === BACKSLASH) index += 1
  return index
}

/** Square and curly brackets differ in one bit. */
function isOpening(byte: number): boolean {
  return (byte | BLANK) === 0x7b
}

function isClosing(byte: number): boolean {
  return (byte | BLANK) === 0x7d
}
