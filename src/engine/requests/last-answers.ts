import type { FaultSource } from '../../scenario/model/layer.js'
import { globMatcher } from '../../scenario/rules/glob.js'
import type { MemoryBudget } from '../memory/budget.js'
import { ByteCache } from '../memory/byte-cache.js'
import { bytesOfText } from '../memory/bytes-of.js'

/** In bytes: about 100,000 answers of the usual size. */
const CAPACITY = 96 * 1024 * 1024

/**
 * Keeps the last answer about each task of a key with a `stale` rule, so that the fault can repeat it. A directive that
 * asks for a stale answer is rare, and finds it in the journal.
 */
export class LastAnswers {
  readonly #keys: readonly ((key: string) => boolean)[]
  readonly #answers: ByteCache<string>

  constructor(faults: readonly FaultSource[], budget: MemoryBudget) {
    this.#keys = faults.filter(hasStaleStep).map(({ when }) => globMatcher(when?.key ?? '*'))
    this.#answers = new ByteCache(budget, 'last_answers', CAPACITY)
  }

  /** Whether any rule repeats answers. */
  get areKept(): boolean {
    return this.#keys.length > 0
  }

  get(taskId: string): string | undefined {
    return this.#answers.get(taskId)
  }

  /** @param key the API key of the request */
  set(taskId: string, key: string, answer: string): void {
    if (this.#keys.some((matchesKey) => matchesKey(key)))
      this.#answers.set(taskId, answer, bytesOfText(answer))
  }

  delete(taskId: string): void {
    this.#answers.delete(taskId)
  }

  /** Frees all answers. */
  close(): void {
    this.#answers.close()
  }
}

function hasStaleStep({ then }: FaultSource): boolean {
  return (Array.isArray(then) ? then : [then]).some((step) => step !== 'pass' && step.stale === true)
}
