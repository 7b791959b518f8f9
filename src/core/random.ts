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

/**
 * The root of any number of independent streams. What is drawn depends on the key and on the stream's name
 * alone, so a new stream never shifts an old one, and the order of the requests shifts none.
 */
export class Chance {
  readonly #digest: Uint8Array

  private constructor(digest: Uint8Array) {
    this.#digest = digest
  }

  /** The root that belongs to a text. */
  static of(key: string): Chance {
    return new Chance(sha256(encoder.encode(key)))
  }

  /** A root below this one. */
  child(key: string): Chance {
    return new Chance(this.#mix(key))
  }

  /** The stream of draws for one purpose. */
  stream(purpose: string): Random {
    const view = new DataView(this.#mix(purpose).buffer)
    const words = [view.getInt32(0), view.getInt32(4), view.getInt32(8), view.getInt32(12)]
    const generator = xoroshiro128plusFromState(words)
    return {
      float: () => uniformFloat64(generator),
      int: (bound) => uniformInt(generator, 0, bound - 1),
    }
  }

  /** 48 bits that stand for this root in a table; two roots meet in one number by chance only. */
  get fingerprint(): number {
    const view = new DataView(this.#digest.buffer, this.#digest.byteOffset)
    return view.getUint32(0) * 0x1_0000 + view.getUint16(4)
  }

  #mix(text: string): Uint8Array<ArrayBuffer> {
    const name = encoder.encode(text)
    const bytes = new Uint8Array(this.#digest.length + name.length)
    bytes.set(this.#digest)
    bytes.set(name, this.#digest.length)
    return sha256(bytes) as Uint8Array<ArrayBuffer>
  }
}

const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A string of base-62 characters. */
export function base62(random: Random, length: number): string {
  let text = ''
  for (let index = 0; index < length; index++) text += BASE_62.charAt(random.int(62))
  return text
}
