import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { stopwatch } from '../../../engine/clock/system-clock.js'
import type { LongBody } from '../../../record/recording/passed-exchange.js'

/** Bytes of a body that are kept. */
const LONGEST = 10 * 1_024 * 1_024

/** A body that passed through. */
export interface Captured {
  readonly body: Uint8Array
  readonly longBody: LongBody | undefined
}

/** Keeps a body that passes through: the bytes, or their number and hash if there are too many. */
export class CapturedBody {
  readonly #hash = createHash('sha256')
  #pieces: Uint8Array[] = []
  #bytes = 0

  add(piece: Uint8Array): void {
    this.#hash.update(piece)
    this.#bytes += piece.length
    if (this.#bytes > LONGEST) this.#pieces = []
    else this.#pieces.push(piece)
  }

  /** A stream that keeps what passes through it. */
  tee(): Transform {
    return new Transform({
      transform: (piece: Buffer, _, done) => {
        this.add(piece)
        done(null, piece)
      },
    })
  }

  /** What has passed through; call this once. */
  result(): Captured {
    const isLong = this.#bytes > LONGEST
    return {
      body: Buffer.concat(this.#pieces),
      longBody: isLong ? { bytes: this.#bytes, sha256: this.#hash.digest('hex') } : undefined,
    }
  }
}

/** Keeps the pieces of a stream of text, and when they arrived. */
export class CapturedPieces {
  readonly pieces: [after: number, text: string][] = []
  readonly #decoder = new TextDecoder()
  readonly #begin: number
  #left = LONGEST

  /** @param begin the reading of the stopwatch when the request arrived */
  constructor(begin: number) {
    this.#begin = begin
  }

  /** A stream that keeps what passes through it. */
  tee(): Transform {
    return new Transform({
      transform: (piece: Buffer, _, done) => {
        this.#left -= piece.length
        if (this.#left >= 0) this.#add(this.#decoder.decode(piece, { stream: true }))
        done(null, piece)
      },
    })
  }

  #add(text: string): void {
    if (text !== '') this.pieces.push([Math.round(stopwatch() - this.#begin), text])
  }
}
