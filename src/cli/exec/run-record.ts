import type { Status } from '../../engine/tasks/task.js'
import type { Delivery } from '../../engine/webhooks/deliveries/delivery.js'
import { isOfControl } from '../../http/exchange/exchange.js'
import { ApplicationCounters } from '../../inspect/applied/application-counters.js'
import { type AppliedRule, appliedRules, joinApplied } from '../../inspect/applied/applied-rules.js'
import type { Verdict } from '../../inspect/findings/verdict.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import type { Simulator } from '../../simulator.js'
import { joinVerdicts } from './join-verdicts.js'
import { RejectionCounter } from './rejection-counter.js'

/** Records what happens in a simulator while a command runs, across all resets. */
export class RunRecord {
  /** All requests, including those to the control API. */
  requests = 0
  /** The requests to the service or to create a sandbox. They show that the client found the simulator. */
  fromClient = 0
  readonly rejections = new RejectionCounter()
  created = 0
  delivered = 0
  /** Whole micro-dollars. */
  cost = 0
  readonly ended: { [status in Status]?: number } = {}
  readonly #sim: Simulator
  /** How often the rules and faults of each earlier scenario have applied. */
  readonly #applied: AppliedRule[][] = []
  readonly #applications: ApplicationCounters
  #scenario: Scenario
  /** The genuine deliveries since the last reset that the receiver rejected and did not accept later, by id. */
  readonly #rejected = new Map<string, Delivery>()
  /** The results from before each reset. */
  readonly #earlier: { verdicts: Promise<Verdict>[]; rejected: Delivery[] } = { verdicts: [], rejected: [] }

  constructor(sim: Simulator) {
    this.#sim = sim
    this.#scenario = sim.scenario
    this.#applications = new ApplicationCounters(sim)
    sim.on('request.answered', (request) => {
      const { path, operation } = request
      this.requests += 1
      if (!isOfControl(path)) this.rejections.count(request)
      if (!isOfControl(path) || operation === 'sim.sandboxes.create') this.fromClient += 1
    })
    sim.on('task.created', () => {
      this.created += 1
    })
    sim.on('task.finished', ({ status, cost = 0 }) => {
      this.ended[status] = (this.ended[status] ?? 0) + 1
      this.cost += cost
    })
    sim.on('delivery.attempted', (delivery) => this.#recordDelivery(delivery))
    sim.on('reset.begins', () => this.#saveResults())
    sim.on('control.used', (use) => {
      if (use === 'scenario' || use === 'reset') this.#changeScenario()
    })
  }

  /** The mistakes of the client. Omissions count, because the client has sent its last request. */
  async verdict(): Promise<Verdict> {
    const verdicts = await Promise.all([...this.#earlier.verdicts, this.#sim.verdict({ final: true })])
    const applied = joinApplied([...this.#applied, appliedRules(this.#scenario, this.#applications)])
    return { ...joinVerdicts(verdicts), applied }
  }

  /** The number of webhooks that were still to be sent, or sent again, at the end. */
  get due(): number {
    return this.#sim.webhooks.log.counts.pending
  }

  /** The simulator's clock, in epoch milliseconds. */
  get now(): number {
    return this.#sim.clock.now()
  }

  /** The genuine deliveries that the receiver rejected and did not accept later. */
  get undelivered(): readonly Delivery[] {
    return [...this.#earlier.rejected, ...this.#rejected.values()]
  }

  #recordDelivery(delivery: Delivery): void {
    if (delivery.state === 'delivered') {
      this.delivered += 1
      this.#rejected.delete(delivery.id)
    } else if (delivery.attempts.some(({ flaw }) => flaw === undefined)) {
      this.#rejected.set(delivery.id, delivery)
    }
  }

  #changeScenario(): void {
    this.#applied.push(appliedRules(this.#scenario, this.#applications))
    this.#applications.clear()
    this.#scenario = this.#sim.scenario
  }

  /** Saves the results before a reset, which clears the journal and restarts the ids. */
  #saveResults(): void {
    this.#earlier.verdicts.push(this.#sim.verdict({ final: true }))
    this.#earlier.rejected.push(...this.#rejected.values())
    this.#rejected.clear()
  }
}
