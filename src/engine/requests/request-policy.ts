import type { Scenario } from '../../scenario/model/scenario.js'
import type { MemoryBudget } from '../memory/budget.js'
import type { Chance } from '../random.js'
import { Accounts } from './accounts.js'
import { FaultRules } from './fault-rules.js'
import { LastAnswers } from './last-answers.js'
import { RateLimiter } from './rate-limiter.js'

/** What stands between a request and its operation, by one scenario. */
export class RequestPolicy {
  readonly accounts: Accounts
  readonly limits: RateLimiter
  readonly faults: FaultRules
  readonly lastAnswers: LastAnswers
  readonly #start: number

  /**
   * @param start epoch milliseconds at which the scenario came into force
   * @param before what was in force till then: what keys have spent stays spent
   */
  constructor(
    scenario: Scenario,
    chance: Chance,
    start: number,
    budget: MemoryBudget,
    before?: RequestPolicy,
  ) {
    this.#start = start
    this.accounts = new Accounts(scenario.auth, before?.accounts.spent)
    this.limits = new RateLimiter(scenario.rateLimits)
    this.faults = new FaultRules(scenario.faults, chance.child('faults'))
    this.lastAnswers = new LastAnswers(scenario.faults, budget)
  }

  /** Forgets what was answered; call it when another scenario comes into force. */
  close(): void {
    this.lastAnswers.close()
  }

  /** Milliseconds since the scenario came into force. */
  since(now: number): number {
    return now - this.#start
  }
}
