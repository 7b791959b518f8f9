import type { Status } from '../../engine/tasks/task.js'
import type { Delivery } from '../../engine/webhooks/delivery.js'
import { isOfControl } from '../../http/exchange.js'
import type { Verdict } from '../../inspect/findings/verdict.js'
import type { Simulator } from '../../simulator.js'
import { joinVerdicts } from './join-verdicts.js'
import { Rejections } from './rejections.js'

/** What happens in simulators while a command runs, kept over all their resets. */
export class RunRecord {
  /** All of them, those to the control API included. */
  requests = 0
  /** Those that show that the client found the simulator: to the service, or for a sandbox in which to use it. */
  fromClient = 0
  readonly rejections = new Rejections()
  created = 0
  delivered = 0
  /** Whole micro-dollars. */
  cost = 0
  readonly ended: { [status in Status]?: number } = {}
  readonly #watched: Simulator[] = []
  readonly #refused = new Map<Simulator, Map<string, Delivery>>()
  /** From before the resets. */
  readonly #earlier: { verdicts: Promise<Verdict>[]; refused: Delivery[] } = { verdicts: [], refused: [] }

  /** Begins to look at a simulator. */
  watch(sim: Simulator): void {
    this.#watched.push(sim)
    this.#refused.set(sim, new Map())
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
    sim.on('delivery.attempted', (delivery) => this.#note(sim, delivery))
    sim.on('reset.begins', () => this.#keep(sim))
  }

  /** What the client did wrong. */
  async verdict(): Promise<Verdict> {
    return joinVerdicts(await Promise.all([...this.#earlier.verdicts, ...this.#watched.map(finalVerdict)]))
  }

  /** Deliveries of which an attempt was refused that should have been accepted, and none was accepted later. */
  get undelivered(): readonly Delivery[] {
    const refused = [...this.#refused.values()].flatMap((deliveries) => [...deliveries.values()])
    return [...this.#earlier.refused, ...refused]
  }

  #note(sim: Simulator, delivery: Delivery): void {
    const refused = this.#refused.get(sim)
    if (delivery.state === 'delivered') {
      this.delivered += 1
      refused?.delete(delivery.id)
    } else if (delivery.attempts.some(({ flaw }) => flaw === undefined)) {
      refused?.set(delivery.id, delivery)
    }
  }

  /** After a reset nothing is found in what was before, and ids begin anew. */
  #keep(sim: Simulator): void {
    const refused = this.#refused.get(sim)
    this.#earlier.verdicts.push(finalVerdict(sim))
    this.#earlier.refused.push(...(refused?.values() ?? []))
    refused?.clear()
  }
}

/** What a client left out counts: it will send nothing more. */
function finalVerdict(sim: Simulator): Promise<Verdict> {
  return sim.verdict({ final: true })
}
