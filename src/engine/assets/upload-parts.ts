import type { Account } from '../memory/budget.js'

/** A part of a file. */
export interface UploadPart {
  /** The id of the upload. */
  readonly upload: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The parts of one file. */
interface FileParts {
  readonly numbers: number[]
  /** In bytes. */
  size: number
}

/** The retained bytes of a part without its content. */
const OVERHEAD = 300

/** In bytes. A ledger stores a part of this size within one turn of the event loop. */
const LARGEST = 8 * 1024 * 1024

/** The bytes that the parts of a file retain. */
export function retainedBy({ count, size }: { readonly count: number; readonly size: number }): number {
  return size + count * OVERHEAD
}

/** The bytes that {@link UploadParts.add} needs for a file, or for a part that a client sends. */
export function neededFor({ length }: Uint8Array): number {
  return retainedBy({ count: Math.ceil(length / LARGEST), size: length })
}

/**
 * The bytes of all uploads, in parts with a number each, in the order of their arrival: a file that arrives at once has
 * parts of 8 MB. A ledger stores each part once, so they stay when the file is complete.
 */
export class UploadParts {
  readonly #account: Account
  /** Called with the number of each part that is new or gone. */
  readonly #onChange: (number: number) => void
  readonly #parts = new Map<number, UploadPart>()
  readonly #files = new Map<string, FileParts>()
  #last = 0

  constructor(account: Account, onChange: (number: number) => void) {
    this.#account = account
    this.#onChange = onChange
  }

  /** Adds bytes to the end of an upload. */
  add(upload: string, bytes: Uint8Array<ArrayBuffer>): void {
    for (let start = 0; start < bytes.length; start += LARGEST) {
      const number = this.#last + 1
      this.restore(number, { upload, bytes: bytes.subarray(start, start + LARGEST) })
      this.#onChange(number)
    }
  }

  /** Restores a part of another process. */
  restore(number: number, part: UploadPart): void {
    const { upload, bytes } = part
    const file = this.#files.get(upload) ?? { numbers: [], size: 0 }
    file.numbers.push(number)
    file.size += bytes.length
    this.#files.set(upload, file)
    this.#parts.set(number, part)
    this.#last = Math.max(this.#last, number)
    this.#account.add(retainedBy({ count: 1, size: bytes.length }))
  }

  /** The numbers of all parts. */
  numbers(): Iterable<number> {
    return this.#parts.keys()
  }

  /** The part with a number; undefined if it is gone. */
  get(number: number): UploadPart | undefined {
    return this.#parts.get(number)
  }

  /** How many parts of an upload have arrived, and how many bytes. */
  arrivedOf(upload: string): { readonly count: number; readonly size: number } {
    const { numbers = [], size = 0 } = this.#files.get(upload) ?? {}
    return { count: numbers.length, size }
  }

  /** Joins the parts of an upload. They become views of the result, so that it is in memory once. */
  join(upload: string): Uint8Array<ArrayBuffer> {
    const { numbers = [], size = 0 } = this.#files.get(upload) ?? {}
    const [first] = numbers
    const only = numbers.length === 1 && first !== undefined ? this.#parts.get(first) : undefined
    if (only !== undefined) return only.bytes
    const whole = new Uint8Array(size)
    let start = 0
    for (const number of numbers) {
      const { bytes = whole } = this.#parts.get(number) ?? {}
      const end = start + bytes.length
      whole.set(bytes, start)
      this.#parts.set(number, { upload, bytes: whole.subarray(start, end) })
      start = end
    }
    return whole
  }

  /** Deletes the parts of an upload. */
  delete(upload: string): void {
    const { numbers = [] } = this.#files.get(upload) ?? {}
    this.#account.add(-retainedBy(this.arrivedOf(upload)))
    this.#files.delete(upload)
    for (const number of numbers) {
      this.#parts.delete(number)
      this.#onChange(number)
    }
  }

  /** Deletes all parts. The numbers continue. */
  clear(): void {
    this.#parts.clear()
    this.#files.clear()
  }
}
