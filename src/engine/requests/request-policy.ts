import type { MemoryBudget } from '../memory/budget.js'
import type { Chance } from '../random.js'
import type { ScenarioSettings } from '../scenario/scenario.js'
import { Accounts } from './accounts.js'
import { FaultRules } from './fault-rules.js'
import { LastAnswers } from './last-answers.js'
import { RateLimiter } from './rate-limiter.js'

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
    this.accounts = new Accounts(scenario.auth, before?.accounts.spent)
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
