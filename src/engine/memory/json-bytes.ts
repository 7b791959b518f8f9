import type { JsonValue } from '../json.js'

// Bytes on a V8 heap with pointers of 8 bytes, as measured with Node 20 to 24.
const SLOT = 8
const NUMBER = 16
const STRING = 20
const EMPTY_ARRAY = 32
const ARRAY = 48
/** V8 reserves space for four properties in an empty object. */
const EMPTY_OBJECT = 56
const OBJECT = 24
/** An object with more properties becomes a hash table. */
const MAX_FAST_PROPERTIES = 128
const TABLE_ENTRY = 48
/** A property with a new name also needs a description of its object's shape. */
const SHAPE = 64
const NEW_NAME = 72
/** The estimate assumes that all tasks share the first names, so that V8 stores them once. */
const COMMON_NAMES = 32

const TWO_BYTES = /[^\0-\xff]/

/** Estimates the heap that a JSON value retains, in bytes, with an error of up to about a half. */
export function bytesOfJson(value: JsonValue): number {
  const bytes = new JsonBytes()
  addAll(value, bytes)
  return bytes.total
}

function addAll(value: JsonValue, bytes: JsonBytes): void {
  if (typeof value === 'string') bytes.addString(value)
  else if (typeof value === 'number') bytes.addNumber(value)
  else if (Array.isArray(value)) {
    bytes.addArray(value)
    for (const item of value) addAll(item, bytes)
  } else if (typeof value === 'object' && value !== null) {
    bytes.addObject(Object.keys(value))
    for (const item of Object.values(value)) addAll(item, bytes)
  }
}

/** The estimate of {@link bytesOfJson} for a caller that walks the value itself. Add every part of the value once. */
export class JsonBytes {
  total = 0
  #properties = 0
  #names: Set<string> | undefined

  addString(text: string): void {
    this.total += STRING + sizeOf(text)
  }

  /** Does not count the slot of the number, because the array or object that holds it does. */
  addNumber(value: number): void {
    if (!Number.isInteger(value)) this.total += NUMBER
  }

  addArray(items: readonly JsonValue[]): void {
    this.total += items.length === 0 ? EMPTY_ARRAY : ARRAY + SLOT * items.length
  }

  addObject(names: readonly string[]): void {
    this.total += names.length === 0 ? EMPTY_OBJECT : OBJECT
    this.#properties += names.length
    if (names.length > MAX_FAST_PROPERTIES) this.#addTable(names)
    else if (this.#properties <= COMMON_NAMES) this.total += SLOT * names.length
    else this.#addNames(names)
  }

  #addTable(names: readonly string[]): void {
    for (const name of names) this.total += TABLE_ENTRY + STRING + sizeOf(name)
  }

  #addNames(names: readonly string[]): void {
    this.#names ??= new Set()
    const known = this.#names.size
    for (const name of names) {
      this.total += SLOT
      if (this.#names.has(name)) continue
      this.#names.add(name)
      this.total += NEW_NAME + sizeOf(name)
    }
    if (this.#names.size > known) this.total += SHAPE
  }
}

function sizeOf(text: string): number {
  return TWO_BYTES.test(text) ? 2 * text.length : text.length
}
