import { MAIN_DIALECT } from '../dialects/built-in.js'
import type { Dialect } from '../dialects/dialect.js'
import type { Dialects } from '../dialects/dialects.js'
import type { Clock } from '../engine/clock/clock.js'
import type { MemoryBudget } from '../engine/memory/budget.js'
import type { Chance } from '../engine/random.js'
import { RequestPolicy } from '../engine/requests/request-policy.js'
import type { DispatchRules, WebhookFormats } from '../engine/webhooks/dispatcher.js'
import { WebhookFaultRules } from '../engine/webhooks/faults/webhook-fault-rules.js'
import type { WebhookFormat } from '../engine/webhooks/webhook-format.js'
import type { Scenario } from '../scenario/scenario.js'

/** The scenario that applies to new tasks, requests and webhooks. */
export class ActiveScenario {
  /** The scenario that a reset restores. */
  initial: Scenario
  /** The active scenario, with the overrides of the simulator's settings. */
  current: Scenario
  /** The accounts, rate limits and faults of the active scenario. */
  requestPolicy: RequestPolicy
  readonly #chance: Chance
  readonly #clock: Clock
  readonly #memory: MemoryBudget
  readonly #dialects: Dialects
  readonly #webhookSecret: string | undefined

  /**
   * @param webhookSecret overrides the webhook secrets of every scenario, of all dialects
   * @throws UsageError if the scenario has settings of a dialect that does not exist, or that cannot be added
   */
  constructor({
    scenario,
    chance,
    clock,
    memory,
    dialects,
    webhookSecret,
  }: {
    scenario: Scenario
    chance: Chance
    clock: Clock
    memory: MemoryBudget
    dialects: Dialects
    webhookSecret: string | undefined
  }) {
    this.#chance = chance
    this.#clock = clock
    this.#memory = memory
    this.#dialects = dialects
    this.#webhookSecret = webhookSecret
    this.#check(scenario)
    this.initial = scenario
    this.current = this.#withSecret(scenario)
    this.requestPolicy = this.#newRequestPolicy()
  }

  /** The webhook settings and webhook faults of the active scenario. */
  get dispatchRules(): DispatchRules {
    const { webhooks } = this.current
    const policy = this.requestPolicy
    return {
      formats: webhookFormats(this.current, this.#dialects),
      receivers: webhooks.receivers,
      faults: new WebhookFaultRules(webhooks.faults, this.#chance.child('webhook faults')),
      since: (now) => policy.since(now),
    }
  }

  /**
   * Replaces the scenario. What the API keys have spent carries over.
   * @param keep whether a reset restores this scenario
   * @throws UsageError if the scenario has settings of a dialect that does not exist, or that cannot be added
   */
  replace(scenario: Scenario, keep: boolean): void {
    this.#check(scenario)
    if (keep) this.initial = scenario
    this.#activate(scenario, this.requestPolicy)
  }

  /** Restores the initial scenario. The API keys have spent nothing again. */
  reset(): void {
    this.#activate(this.initial)
  }

  /** Continues with the scenarios of another process. @param start when the active one became active; now by default */
  restore(initial: Scenario, current: Scenario, start: number | undefined): void {
    this.initial = initial
    this.#activate(current, undefined, start)
  }

  #check({ dialects }: Scenario): void {
    for (const [name, settings] of Object.entries(dialects)) this.#dialects.ensure(name, settings)
  }

  #activate(scenario: Scenario, before?: RequestPolicy, start?: number): void {
    this.current = this.#withSecret(scenario)
    this.requestPolicy.close()
    this.requestPolicy = this.#newRequestPolicy(before, start)
  }

  #newRequestPolicy(before?: RequestPolicy, start = this.#clock.now()): RequestPolicy {
    return new RequestPolicy(this.current, this.#chance, start, this.#memory, before)
  }

  #withSecret(scenario: Scenario): Scenario {
    const secret = this.#webhookSecret
    if (secret === undefined) return scenario
    const dialects = this.#dialects.names.map((name) => [name, { ...scenario.dialects[name], secret }])
    return {
      ...scenario,
      webhooks: { ...scenario.webhooks, secret },
      dialects: Object.fromEntries(dialects),
    }
  }
}

/** The formats of webhooks with the settings of a scenario, each built on first use. */
function webhookFormats(scenario: Scenario, dialects: Dialects): WebhookFormats {
  const formats = new Map<Dialect, WebhookFormat>()
  return {
    main: dialects.main,
    of(name) {
      // The request that created the task has loaded its dialect.
      const dialect = dialects.get(name) ?? MAIN_DIALECT
      const format = formats.get(dialect) ?? dialect.webhooks(scenario)
      formats.set(dialect, format)
      return format
    },
  }
}
