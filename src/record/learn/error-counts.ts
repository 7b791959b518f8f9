import { maskPatterns } from '../../engine/secret-patterns.js'
import { DEFAULT_TASK_ERROR } from '../../engine/tasks/task.js'

/** An error of failed tasks, and how many had it. */
export interface CountedError {
  readonly code: string
  /** Its most frequent message. */
  readonly message: string
  readonly count: number
}

/** Further codes count as others, so that a service with an id in each code takes no more memory. */
const MAX_CODES = 200
const MAX_MESSAGES = 20
const MAX_LISTED = 10
const LONGEST_MESSAGE = 300

/** Counts the errors of failed tasks. */
export class ErrorCounts {
  readonly #codes = new Map<string, Map<string, number>>()
  readonly #counts = new Map<string, number>()
  #total = 0

  /** Adds the error of a failed task. */
  add({ code, message }: { readonly code?: string | undefined; readonly message: string }): void {
    this.#total += 1
    const name = code ?? DEFAULT_TASK_ERROR.code
    if (!this.#counts.has(name) && this.#counts.size >= MAX_CODES) return
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    const messages = this.#codes.get(name) ?? new Map<string, number>()
    this.#codes.set(name, messages)
    const text = withoutSecrets(message)
    if (messages.has(text) || messages.size < MAX_MESSAGES) messages.set(text, (messages.get(text) ?? 0) + 1)
  }

  /** The most frequent errors, most frequent first. */
  get listed(): CountedError[] {
    return [...this.#counts]
      .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
      .slice(0, MAX_LISTED)
      .map(([code, count]) => ({ code, count, message: mostFrequent(this.#codes.get(code) ?? new Map()) }))
  }

  /** How many failures had other errors. */
  get unlisted(): number {
    return this.#total - this.listed.reduce((sum, { count }) => sum + count, 0)
  }
}

function mostFrequent(counts: ReadonlyMap<string, number>): string {
  const [first] = [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
  return first?.[0] ?? ''
}

/** URLs, quoted texts, which may be prompts, and long words with digits, which may be ids or keys. */
const SECRETS = /https?:\/\/\S+|"[^"]*"|“[^”]*”|(?=[\w-]*\d)[\w-]{16,}/g

/** A message without parts that may be secret or that differ from task to task. */
function withoutSecrets(message: string): string {
  return maskPatterns(message, () => {})
    .replace(SECRETS, '…')
    .slice(0, LONGEST_MESSAGE)
}
