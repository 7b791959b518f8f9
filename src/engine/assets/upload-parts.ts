import type { Account } from '../memory/budget.js'

/** A part of a file that arrives in parts. */
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
export const PART_OVERHEAD = 300

/**
 * The parts of files that arrive in parts, each with a number, in the order of their arrival. A ledger stores each part once,
 * so they stay when the file is complete.
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

  add(part: UploadPart): void {
    const number = this.#last + 1
    this.restore(number, part)
    this.#onChange(number)
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
    this.#account.add(bytes.length + PART_OVERHEAD)
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
    const { numbers = [], size = 0 } = this.#files.get(upload) ?? {}
    this.#files.delete(upload)
    this.#account.add(-size - numbers.length * PART_OVERHEAD)
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
