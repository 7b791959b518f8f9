import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator'
import { sha256Text } from './sha256.js'

/** One stream of random numbers; the same stream gives the same numbers. */
export interface Random {
  /** Draws a number from 0 (included) to 1 (excluded), with 53 bits. */
  float(): number
  /** Draws a whole number from 0 (included) to `bound` (excluded). */
  int(bound: number): number
}

const encoder = new TextEncoder()
const DIGEST_BYTES = 32
/** Holds the bytes to hash: to allocate many small arrays costs as much as to hash them. */
const scratch = new Uint8Array(4_096)
const scratchKey = scratch.subarray(DIGEST_BYTES)

/**
 * The seed of any number of independent streams. A stream depends only on the seed and its name, so neither a new
 * stream nor the order of requests changes the numbers of another stream.
 */
export class Chance {
  /** A text with one character for each byte, which takes less time and memory than an array of bytes. */
  readonly #digest: string

  private constructor(bytes: Uint8Array) {
    this.#digest = sha256Text(bytes)
  }

  /** Derives a seed from a string. */
  static of(key: string): Chance {
    return new Chance(encoder.encode(key))
  }

  /** Derives a seed from this one. */
  child(key: string): Chance {
    // A UTF-16 unit takes at most three bytes of UTF-8.
    const length = DIGEST_BYTES + 3 * key.length
    const isShort = length <= scratch.length
    const bytes = isShort ? scratch : new Uint8Array(length)
    for (let index = 0; index < DIGEST_BYTES; index++) bytes[index] = this.#digest.charCodeAt(index)
    const { written } = encoder.encodeInto(key, isShort ? scratchKey : bytes.subarray(DIGEST_BYTES))
    return new Chance(bytes.subarray(0, DIGEST_BYTES + written))
  }

  /** Starts the stream with this name. */
  stream(purpose: string): Random {
    const salt = saltOf(purpose)
    const generator = xoroshiro128plusFromState([
      this.#word(0, salt),
      this.#word(1, salt),
      this.#word(2, salt),
      this.#word(3, salt),
    ])
    return new Stream(generator)
  }

  /** A 48-bit hash of this seed, as a key of tables; collisions are improbable. */
  get fingerprint(): number {
    return (this.#wordAt(0) >>> 0) * 0x1_0000 + (this.#wordAt(4) >>> 16)
  }

  /**
   * A quarter of a stream's initial state, from two words of the digest. Related states would give related numbers,
   * so the salt is mixed in twice instead of being added.
   */
  #word(index: number, salt: number): number {
    const mixed = scramble(this.#wordAt(4 * index) ^ salt)
    return scramble(mixed + this.#wordAt(16 + 4 * index) + index)
  }

  /** Four bytes of the digest as a signed number, the highest first. */
  #wordAt(start: number): number {
    let word = 0
    for (let index = start; index < start + 4; index++) word = (word << 8) | this.#digest.charCodeAt(index)
    return word
  }
}

/** A class, because two functions for each stream would cost more than its generator. */
class Stream implements Random {
  readonly #generator: RandomGenerator

  constructor(generator: RandomGenerator) {
    this.#generator = generator
  }

  float(): number {
    return uniformFloat64(this.#generator)
  }

  int(bound: number): number {
    return uniformInt(this.#generator, 0, bound - 1)
  }
}

const salts = new Map<string, number>()

/** FNV-1a of a stream's name. There are few names, so every hash is cached. */
function saltOf(purpose: string): number {
  let salt = salts.get(purpose)
  if (salt === undefined) {
    salt = 0x811c9dc5
    for (const byte of encoder.encode(purpose)) salt = Math.imul(salt ^ byte, 0x01000193)
    salts.set(purpose, salt)
  }
  return salt
}

/** The finalizer of MurmurHash3: each bit of the argument changes half of the bits of the result. */
function scramble(word: number): number {
  let mixed = word
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

/** The characters of a base-62 number. */
export const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Overwritten by each call of {@link drawWord}. */
const codes: number[] = []

/** Draws characters from an alphabet, base 62 by default. */
export function drawWord(random: Random, length: number, alphabet = BASE_62): string {
  // A string built by appending would stay a chain of small strings in memory.
  codes.length = length
  for (let index = 0; index < length; index++) codes[index] = alphabet.charCodeAt(random.int(alphabet.length))
  return String.fromCharCode(...codes)
}
