/** A piece of the bytes of a row: where it begins and where it ends. */
type ByteRange = readonly [from: number, to: number]

const NO_BYTES = new Uint8Array(0)

/** Collects the bytes of a row. Bytes that are added several times are stored only once. */
export class BytesWriter {
  readonly #ranges = new Map<Uint8Array, ByteRange>()
  #length = 0

  add(bytes: Uint8Array): ByteRange {
    const known = this.#ranges.get(bytes)
    if (known !== undefined) return known
    const range: ByteRange = [this.#length, this.#length + bytes.length]
    this.#ranges.set(bytes, range)
    this.#length += bytes.length
    return range
  }

  /** All bytes; undefined if there are none. */
  get bytes(): Uint8Array<ArrayBuffer> | undefined {
    if (this.#length === 0) return undefined
    const all = new Uint8Array(this.#length)
    for (const [bytes, [from]] of this.#ranges) all.set(bytes, from)
    return all
  }
}

/** Reads the bytes of a row. Each range always returns the same array, which is a copy. */
export class BytesReader {
  readonly #bytes: Uint8Array<ArrayBuffer>
  readonly #known = new Map<string, Uint8Array<ArrayBuffer>>()
  /** How many bytes no range has had yet. */
  #left: number

  constructor(bytes: Uint8Array<ArrayBuffer> = NO_BYTES) {
    this.#bytes = bytes
    this.#left = bytes.length
  }

  /** @throws Error if the row cannot have such a range, whose copy could take much memory */
  get([from, to]: ByteRange): Uint8Array<ArrayBuffer> {
    const name = `${from} ${to}`
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const { length } = this.#bytes
    if (from > to || to > length)
      throw new Error(`a place in \`bytes\` must be within its ${length} bytes, got [${from},${to}]`)
    this.#left -= to - from
    if (this.#left < 0) throw new Error('the places in `bytes` must not overlap')
    const bytes = this.#bytes.slice(from, to)
    this.#known.set(name, bytes)
    return bytes
  }
}
