import type { AnsweredRequest } from '../../engine/requests/answered-request.js'
import { isOfAccount } from '../../engine/requests/statuses.js'
import type { Status } from '../../engine/tasks/task.js'
import type { Delivery } from '../../engine/webhooks/deliveries/delivery.js'
import { isOfControl } from '../../exchange/exchange.js'
import { ApplicationCounters } from '../../inspect/applied/application-counters.js'
import { type AppliedRule, appliedRules, joinApplied } from '../../inspect/applied/applied-rules.js'
import { shorten } from '../../inspect/findings/evidence.js'
import type { Finding } from '../../inspect/findings/finding.js'
import {
  bySeverity,
  type Checked,
  type CheckState,
  checkClient,
  type Verdict,
} from '../../inspect/findings/verdict.js'
import { isUndelivered } from '../../inspect/undelivered.js'
import type { Scenario } from '../../scenario/scenario.js'
import type { Simulator } from '../../simulator/simulator.js'

/** Records what happens in a simulator while a command runs, across all resets. */
export class RunRecord {
  /** All requests, including those to the control API. */
  requests = 0
  /** The requests to the service or to create a sandbox. They show that the client found the simulator. */
  fromClient = 0
  /** The requests to the service at the address of the simulator itself; the others were intercepted. */
  byBaseUrl = 0
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
  /** The names of all scenarios of the run, and of those that they extend. */
  readonly scenarios = new Set<string>()
  /** The genuine deliveries since the last reset that the receiver rejected and did not accept later, by id. */
  readonly #rejected = new Map<string, Delivery>()
  /** The results from before each reset. */
  readonly #earlier: { verdicts: Promise<Verdict>[]; rejected: Delivery[] } = { verdicts: [], rejected: [] }

  constructor(sim: Simulator) {
    this.#sim = sim
    this.#scenario = sim.scenario
    this.#nameScenario()
    this.#applications = new ApplicationCounters(sim.events)
    sim.on('request.answered', (request, context) => {
      const { path, operation } = request
      if (!isOfControl(path) && context?.request.origin.startsWith('http:')) this.byBaseUrl += 1
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
    sim.events.on('reset.begins', () => this.#saveResults())
    sim.events.on('control.used', (use) => {
      if (use === 'scenario' || use === 'reset') this.#changeScenario()
    })
  }

  /**
   * The mistakes of the client. Omissions count, because the client has sent its last request.
   * @param hasExited whether its program has ended by itself and without an error
   */
  async verdict(hasExited: boolean): Promise<Verdict> {
    const last = checkClient({ ...this.#sim.findingInput({ final: true }), hasExited })
    const verdicts = [...(await Promise.all(this.#earlier.verdicts)), last]
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
    } else if (isUndelivered(delivery)) {
      this.#rejected.set(delivery.id, delivery)
    }
  }

  #changeScenario(): void {
    this.#applied.push(appliedRules(this.#scenario, this.#applications))
    this.#applications.clear()
    this.#scenario = this.#sim.scenario
    this.#nameScenario()
  }

  #nameScenario(): void {
    for (const { name } of this.#scenario.sources) this.scenarios.add(name)
  }

  /** Saves the results before a reset, which clears the journal and restarts the ids. */
  #saveResults(): void {
    this.#earlier.verdicts.push(this.#sim.verdict({ final: true }))
    this.#earlier.rejected.push(...this.#rejected.values())
    this.#rejected.clear()
  }
}

/** Merges the verdicts from before and after each reset. Each rule keeps its worst result. */
function joinVerdicts(verdicts: readonly Verdict[]): Pick<Verdict, 'findings' | 'checked'> {
  return {
    findings: joinFindings(verdicts.flatMap(({ findings }) => findings)),
    checked: joinChecks(verdicts.flatMap(({ checked }) => checked)),
  }
}

function joinFindings(findings: readonly Finding[]): Finding[] {
  const byRule = new Map<string, Finding>()
  for (const finding of findings) {
    const known = byRule.get(finding.id)
    const evidence = [...(known?.evidence ?? []), ...finding.evidence]
    byRule.set(finding.id, { ...finding, count: (known?.count ?? 0) + finding.count, evidence })
  }
  return [...byRule.values()].sort(bySeverity)
}

const WORST_FIRST: readonly CheckState[] = ['found', 'ok', 'not_observed', 'ignored', 'not_applicable']

function joinChecks(checks: readonly Checked[]): Checked[] {
  const byRule = new Map<string, Checked>()
  for (const check of checks) {
    const known = byRule.get(check.id)
    const isWorse = known === undefined || WORST_FIRST.indexOf(check.state) < WORST_FIRST.indexOf(known.state)
    if (isWorse) byRule.set(check.id, check)
  }
  return [...byRule.values()]
}

/** Counts the requests to the service, and the rejected requests by status. */
class RejectionCounter {
  readonly #all = new StatusCounter()
  readonly #creates = new StatusCounter()

  /** Counts one request to the service. */
  count(request: AnsweredRequest): void {
    this.#all.count(request)
    if (request.operation === 'tasks.create') this.#creates.count(request)
  }

  /** The rejections if every create request was rejected or, without create requests, if every request was rejected. */
  get total(): TotalRejection | undefined {
    const type = this.#creates.requests > 0 ? 'create request' : 'request'
    const { requests, rejected, statuses, isClientError, unknown } =
      type === 'request' ? this.#all : this.#creates
    if (requests === 0 || rejected < requests) return undefined
    return { type, statuses, isClientError, unknown: [...unknown] }
  }
}

/** Requests that were all rejected. */
interface TotalRejection {
  readonly type: 'create request' | 'request'
  /** The number of requests with each status; 0 means no response. */
  readonly statuses: ReadonlyMap<number, number>
  /** False if the scenario caused every rejection, by a fault, a rate limit or missing credits. */
  readonly isClientError: boolean
  /** The first methods and paths at which the service has no operation. */
  readonly unknown: readonly string[]
}

const MAX_UNKNOWN = 3

class StatusCounter {
  requests = 0
  rejected = 0
  isClientError = false
  readonly statuses = new Map<number, number>()
  readonly unknown = new Set<string>()

  count({ status, fault, operation, method, path }: AnsweredRequest): void {
    this.requests += 1
    if (status !== 0 && status < 400) return
    this.rejected += 1
    if (operation === undefined && this.unknown.size < MAX_UNKNOWN)
      this.unknown.add(`${method} ${shorten(path)}`)
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
    if (fault === undefined && status >= 400 && status < 500 && !isOfAccount(status))
      this.isClientError = true
  }
}
