import type { JsonValue } from '../json.js'

/** What things weigh on a heap of V8 with pointers of 8 bytes, as measured with Node 20 to 24. */
const SLOT = 8
const NUMBER = 16
const STRING = 20
const EMPTY_ARRAY = 32
const ARRAY = 48
/** It has room for four properties. */
const EMPTY_OBJECT = 56
const OBJECT = 24
/** An object with more properties becomes a hash table. */
const MOST_FAST_PROPERTIES = 128
const TABLE_ENTRY = 48
/** What an object with a property of a new name costs beside itself: a description of its shape. */
const SHAPE = 64
const NEW_NAME = 72
/** So many names are taken for those that all tasks have in common, which are kept once. */
const COMMON_NAMES = 32

const TWO_BYTES = /[^\0-\xff]/

/** Estimates the heap that a parsed JSON value retains, in bytes; by kind of value, to within about a half. */
export class RetainedBytes {
  total = 0
  #properties = 0
  #names: Set<string> | undefined

  addString(text: string): void {
    this.total += STRING + sizeOf(text)
  }

  /** A number; the slot of every value is counted with the array or object that holds it. */
  addNumber(value: number): void {
    if (!Number.isInteger(value)) this.total += NUMBER
  }

  addArray(items: readonly JsonValue[]): void {
    this.total += items.length === 0 ? EMPTY_ARRAY : ARRAY + SLOT * items.length
  }

  addObject(names: readonly string[]): void {
    this.total += names.length === 0 ? EMPTY_OBJECT : OBJECT
    this.#properties += names.length
    if (names.length > MOST_FAST_PROPERTIES) this.#addTable(names)
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
