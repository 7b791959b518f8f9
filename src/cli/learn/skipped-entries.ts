import { UsageError } from '../../engine/errors.js'
import type { SkippedEntry } from '../../record/history/read-element.js'

const MOST_SHOWN = 5

/** Reports entries of a history that are not tasks: the first few, and how many there are. */
export class SkippedEntries {
  #count = 0

  /** @param isStrict whether the first entry is an error */
  constructor(
    readonly source: string,
    readonly isStrict: boolean,
  ) {}

  /** @throws UsageError if it is strict */
  add({ line, message }: SkippedEntry): void {
    const text = `${this.source}:${line}: ${message}`
    if (this.isStrict) throw new UsageError(`${text}\nCorrect the entry, or omit --strict to skip it.`)
    this.#count += 1
    if (this.#count <= MOST_SHOWN) process.stderr.write(`tasksim: skipped ${text}\n`)
  }

  /** Reports how many there are. */
  end(): void {
    const hidden = this.#count - MOST_SHOWN
    if (hidden > 0)
      process.stderr.write(
        `tasksim: skipped ${hidden.toLocaleString('en')} more. --strict makes this an error.\n`,
      )
  }
}
