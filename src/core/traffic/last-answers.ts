import { Recent } from '../recent.js'
import { globMatcher } from '../scenario/glob.js'
import type { FaultSource } from '../scenario/scenario.js'

// More tasks than this at a time are nobody's test.
const MOST_TASKS = 100_000

/**
 * What was said last of tasks, so that a fault can say it again: of all tasks of the keys that a rule may answer so,
 * and lately of others, whose requests may ask for it themselves.
 */
export class LastAnswers {
  readonly #keys: readonly ((key: string) => boolean)[]
  readonly #ofRules = new Recent<string, string>(2 * MOST_TASKS)
  readonly #ofOthers = new Recent<string, string>()

  constructor(faults: readonly FaultSource[]) {
    this.#keys = faults.filter(isStale).map(({ when }) => globMatcher(when?.key ?? '*'))
  }

  get(taskId: string): string | undefined {
    return this.#ofRules.get(taskId) ?? this.#ofOthers.get(taskId)
  }

  /** @param key the API key that was answered */
  set(taskId: string, key: string, answer: string): void {
    const answers = this.#keys.some((isMeant) => isMeant(key)) ? this.#ofRules : this.#ofOthers
    answers.set(taskId, answer)
  }

  delete(taskId: string): void {
    this.#ofRules.delete(taskId)
    this.#ofOthers.delete(taskId)
  }
}

function isStale({ then }: FaultSource): boolean {
  return (Array.isArray(then) ? then : [then]).some((step) => step !== 'pass' && step.stale === true)
}
