import type { MemoryBudget } from '../memory/budget.js'
import { ByteCache } from '../memory/caches.js'
import type { Chance } from '../random.js'
import { globMatcher } from '../scenario/glob.js'
import type { FaultSource } from '../scenario/rules.js'
import type { ScenarioSettings } from '../scenario/scenario.js'
import type { Status } from '../tasks/task.js'
import { FaultRules } from './fault-rules.js'
import { Accounts, RateLimiter } from './key-limits.js'

/** The API keys, rate limits and faults of one scenario. */
export class RequestPolicy {
  readonly accounts: Accounts
  readonly limits: RateLimiter
  readonly faults: FaultRules
  readonly lastAnswers: LastAnswers
  /** Epoch milliseconds when the scenario became active. */
  readonly start: number

  /**
   * @param start epoch milliseconds when the scenario became active
   * @param before the policy to replace; the new policy keeps the spending of the keys
   */
  constructor(
    scenario: ScenarioSettings,
    chance: Chance,
    start: number,
    budget: MemoryBudget,
    before?: RequestPolicy,
  ) {
    this.start = start
    this.accounts = new Accounts(scenario.auth, start, before?.accounts.spent)
    this.limits = new RateLimiter(scenario.rate_limits)
    this.faults = new FaultRules(scenario.faults, chance.child('faults'))
    this.lastAnswers = new LastAnswers(scenario.faults, budget)
  }

  /** Frees the last answers. Call it when another scenario becomes active. */
  close(): void {
    this.lastAnswers.close()
  }

  /** Milliseconds since the scenario became active. */
  since(now: number): number {
    return now - this.start
  }
}

/** The last answer about a task that its client received. */
export interface LastAnswer {
  /** The state that it showed. A create request may have shown a task as queued that counts as `processing`. */
  readonly status: Status
  /** Epoch milliseconds. */
  readonly at: number
}

/** In bytes, with the id of the task. */
const BYTES_OF_ANSWER = 200

/** In bytes: those of 500,000 tasks. */
const CAPACITY = 500_000 * BYTES_OF_ANSWER

/**
 * Keeps when and how the clients of keys with a `stale` rule have last seen their tasks, so that the fault can show them
 * so again. A directive that asks for a stale answer is rare, and finds the last answer in the journal.
 */
export class LastAnswers {
  /** Whether any rule shows tasks as they were. */
  readonly areKept: boolean
  readonly #keys: readonly ((key: string) => boolean)[]
  readonly #answers: ByteCache<LastAnswer>

  constructor(faults: readonly FaultSource[], budget: MemoryBudget) {
    this.#keys = faults.filter(hasStaleStep).map(({ when }) => globMatcher(when?.key ?? '*'))
    this.areKept = this.#keys.length > 0
    this.#answers = new ByteCache(budget, 'last_answers', CAPACITY)
  }

  get(taskId: string): LastAnswer | undefined {
    return this.#answers.get(taskId)
  }

  /** @param key the API key of the request */
  set(taskId: string, key: string, answer: LastAnswer): void {
    if (this.#keys.some((matchesKey) => matchesKey(key))) this.#answers.set(taskId, answer, BYTES_OF_ANSWER)
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
