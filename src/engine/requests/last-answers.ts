import type { FaultSource } from '../../scenario/model/layer.js'
import { globMatcher } from '../../scenario/rules/glob.js'
import type { MemoryBudget } from '../memory/budget.js'
import { ByteCache } from '../memory/byte-cache.js'
import { bytesOfText } from '../memory/bytes-of.js'
import { Recent } from '../recent.js'

/** In bytes: about 100,000 answers of the usual size. */
const CAPACITY_OF_RULES = 96 * 1024 * 1024
const CAPACITY_OF_OTHERS = 8 * 1024 * 1024
/** The longest answer, in characters, whose bytes need not be counted. */
const SHORT = 4_000

/**
 * Keeps the last answer about each task, so that a fault can repeat it: for all tasks of keys with a `stale` rule, and
 * for recently polled tasks of other keys, because a directive may ask for a stale answer.
 */
export class LastAnswers {
  readonly #keys: readonly ((key: string) => boolean)[]
  readonly #ofRules: ByteCache<string>
  readonly #shortOfOthers = new Recent<string, string>()
  readonly #longOfOthers: ByteCache<string>

  constructor(faults: readonly FaultSource[], budget: MemoryBudget) {
    this.#keys = faults.filter(hasStaleStep).map(({ when }) => globMatcher(when?.key ?? '*'))
    this.#ofRules = new ByteCache(budget, 'last_answers', CAPACITY_OF_RULES)
    this.#longOfOthers = new ByteCache(budget, 'last_answers', CAPACITY_OF_OTHERS)
  }

  get(taskId: string): string | undefined {
    return this.#ofRules.get(taskId) ?? this.#shortOfOthers.get(taskId) ?? this.#longOfOthers.get(taskId)
  }

  /** @param key the API key of the request */
  set(taskId: string, key: string, answer: string): void {
    if (this.#keys.some((matchesKey) => matchesKey(key))) {
      this.#ofRules.set(taskId, answer, bytesOfText(answer))
    } else if (answer.length <= SHORT) {
      this.#shortOfOthers.set(taskId, answer)
      this.#longOfOthers.delete(taskId)
    } else {
      this.#longOfOthers.set(taskId, answer, bytesOfText(answer))
      this.#shortOfOthers.delete(taskId)
    }
  }

  delete(taskId: string): void {
    this.#ofRules.delete(taskId)
    this.#shortOfOthers.delete(taskId)
    this.#longOfOthers.delete(taskId)
  }

  /** Frees all answers. */
  close(): void {
    this.#ofRules.close()
    this.#longOfOthers.close()
  }
}

function hasStaleStep({ then }: FaultSource): boolean {
  return (Array.isArray(then) ? then : [then]).some((step) => step !== 'pass' && step.stale === true)
}
