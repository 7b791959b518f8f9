import { sha256 } from '@noble/hashes/sha2.js'
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'

/** One stream of draws: the same stream gives the same numbers. */
export interface Random {
  /** A number from 0 up to, not including, 1, with 53 bits. */
  float(): number
  /** A whole number from 0 up to, not including, `bound`. */
  int(bound: number): number
}

const encoder = new TextEncoder()
const DIGEST_BYTES = 32

/**
 * The root of any number of independent streams. What is drawn depends on the key and on the stream's name
 * alone, so a new stream never shifts an old one, and the order of the requests shifts none.
 */
export class Chance {
  readonly #digest: Uint8Array
  readonly #view: DataView

  private constructor(bytes: Uint8Array) {
    this.#digest = sha256(bytes)
    this.#view = new DataView(this.#digest.buffer, this.#digest.byteOffset)
  }

  /** The root that belongs to a text. */
  static of(key: string): Chance {
    return new Chance(encoder.encode(key))
  }

  /** A root below this one. */
  child(key: string): Chance {
    // No character takes more than three bytes of UTF-8 for each of its UTF-16 units.
    const bytes = new Uint8Array(DIGEST_BYTES + 3 * key.length)
    bytes.set(this.#digest)
    const { written } = encoder.encodeInto(key, bytes.subarray(DIGEST_BYTES))
    return new Chance(bytes.subarray(0, DIGEST_BYTES + written))
  }

  /** The stream of draws for one purpose. */
  stream(purpose: string): Random {
    const salt = saltOf(purpose)
    const generator = xoroshiro128plusFromState([
      this.#word(0, salt),
      this.#word(1, salt),
      this.#word(2, salt),
      this.#word(3, salt),
    ])
    return {
      float: () => uniformFloat64(generator),
      int: (bound) => uniformInt(generator, 0, bound - 1),
    }
  }

  /** 48 bits that stand for this root in a table; two roots meet in one number by chance only. */
  get fingerprint(): number {
    return this.#view.getUint32(0) * 0x1_0000 + this.#view.getUint16(4)
  }

  /**
   * A quarter of a stream's first state, from two words of the digest. Streams with related states would give
   * related draws, so the name goes through a mixer twice instead of being added on.
   */
  #word(index: number, salt: number): number {
    const mixed = scramble(this.#view.getInt32(4 * index) ^ salt)
    return scramble(mixed + this.#view.getInt32(16 + 4 * index) + index)
  }
}

const salts = new Map<string, number>()

/** FNV-1a over the name of a stream; there are few names, and each is hashed once. */
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

const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A string of base-62 characters. */
export function base62(random: Random, length: number): string {
  // Made in one piece: a string that grows by characters stays a chain of them for as long as it lives.
  const codes = new Array<number>(length)
  for (let index = 0; index < length; index++) codes[index] = BASE_62.charCodeAt(random.int(62))
  return String.fromCharCode(...codes)
}
