import { isTerminal } from '../../../src/engine/tasks/task.js'
import { eventOfEnd } from '../../../src/engine/webhooks/events/task-event.js'
import type { Delivery, Simulator, Task } from '../../../src/index.js'
import { isAccepted, type Reaction } from './receiver.js'

/**
 * Counts tasks, money and deliveries by events, and records every difference to the simulator. It never throws:
 * its listeners run inside the engine.
 */
export class Totals {
  readonly violations: string[] = []
  readonly tasks = new Map<string, Task>()
  /** The number of answered requests that created a task. */
  #orders = 0
  readonly #opened = new Map<string, Delivery[]>()
  readonly #off = new Set<string>()
  readonly #sim: Simulator

  constructor(sim: Simulator) {
    this.#sim = sim
    sim.on('task.created', (task) => this.#created(task))
    sim.on('task.finished', (task) => this.#finished(task))
    sim.on('delivery.opened', (delivery) => this.#open(delivery))
    sim.on('receiver.switched_off', ({ url }) => this.#off.add(url))
    sim.on('request.answered', ({ method, path, taskId }) => {
      if (method === 'POST' && path === '/v1/tasks' && taskId !== undefined) this.#orders += 1
    })
    sim.on('error', (error) => this.expect(false, `error: ${String(error)}`))
  }

  /** Records a violation if a condition does not hold. */
  expect(isTrue: boolean, otherwise: string): void {
    if (!isTrue) this.violations.push(otherwise)
  }

  /** Compares the totals with the state of the simulator after everything has ended. */
  async settle(posts: ReadonlyMap<string, readonly Reaction[]>): Promise<void> {
    await this.#checkTasks()
    this.#checkAccounts()
    this.#checkDeliveries(posts)
  }

  #created(task: Task): void {
    this.expect(!this.tasks.has(task.id), `${task.id} was created twice`)
    this.tasks.set(task.id, task)
  }

  #finished(task: Task): void {
    const before = this.tasks.get(task.id)
    this.expect(
      before !== undefined && !isTerminal(before.status),
      `${task.id} ended twice, or out of nowhere`,
    )
    this.expect(
      task.status === 'succeeded' || task.cost === 0,
      `${task.id} ${task.status} costs ${task.cost}`,
    )
    this.tasks.set(task.id, task)
    const told = (this.#opened.get(task.id) ?? []).filter(({ copyOf }) => copyOf === undefined)
    const urls = told.map(({ url }) => url).sort()
    const wanted = this.#receiversOf(task).sort()
    this.expect(String(urls) === String(wanted), `${task.id} is told to [${urls}], and not to [${wanted}]`)
  }

  #open(delivery: Delivery): void {
    const { taskId } = delivery
    this.#opened.set(taskId, [...(this.#opened.get(taskId) ?? []), delivery])
  }

  /** Returns the receivers of the end of a task. */
  #receiversOf({ status, webhookUrl }: Task): string[] {
    const { receivers, canceledEvent } = this.#sim.scenario.webhooks
    const event = status === 'canceled' && canceledEvent === 'none' ? undefined : eventOfEnd(status)
    if (event === undefined) return []
    // Of two receivers with the same name, the one that was added later counts.
    const named = new Map(receivers.map((receiver) => [receiver.url, receiver]))
    const subscribed = [...named.values()].filter(
      ({ url, events }) => !this.#off.has(url) && (events === undefined || events.includes(event)),
    )
    const own = webhookUrl === undefined || named.has(webhookUrl) ? [] : [webhookUrl]
    return [...own, ...subscribed.map(({ url }) => url)]
  }

  async #checkTasks(): Promise<void> {
    this.expect(this.#orders === this.tasks.size, `${this.#orders} requests made ${this.tasks.size} tasks`)
    const listed = new Set<string>()
    for (const owner of new Set([...this.tasks.values()].map((task) => task.owner))) {
      const all = { owner, status: undefined, model: undefined, after: undefined, limit: 10_000 }
      for (const { id } of (await this.#sim.tasks.list(all))?.tasks ?? []) listed.add(id)
    }
    const unfinished = [...this.tasks.values()].filter(({ status }) => !isTerminal(status))
    const isWaitedFor = ({ plan }: Task) => plan.outcome === 'stuck' || 'polls' in plan.end
    for (const task of this.tasks.values()) {
      const kept = await this.#sim.tasks.get(task.id)
      this.expect(kept !== undefined && listed.has(task.id), `${task.id} is lost`)
      if (kept === undefined || isTerminal(kept.status)) continue
      const isBlocked = kept.status === 'queued' && unfinished.some(isWaitedFor)
      this.expect(isWaitedFor(kept) || isBlocked, `${task.id} is ${kept.status} forever`)
    }
  }

  #checkAccounts(): void {
    const { spent } = this.#sim.requestPolicy.accounts
    const costs = new Map<string, number>()
    for (const { owner, status, cost = 0 } of this.tasks.values())
      if (status === 'succeeded') costs.set(owner, (costs.get(owner) ?? 0) + cost)
    for (const owner of costs.keys()) {
      const [charged, due] = [spent.get(owner) ?? 0, costs.get(owner) ?? 0]
      this.expect(charged === due, `${owner} was charged ${charged} for tasks that cost ${due}`)
    }
  }

  #checkDeliveries(posts: ReadonlyMap<string, readonly Reaction[]>): void {
    const { counts } = this.#sim.webhooks.log
    const logged = this.#sim.webhooks.log.list({ limit: 10_000 })?.deliveries ?? []
    const opened = [...this.#opened.values()].flat()
    this.expect(logged.length === opened.length, `${opened.length} deliveries, ${logged.length} in the log`)
    this.expect(counts.pending === 0, `${counts.pending} deliveries are pending`)
    const sent = new Map<string, number>()
    for (const { id, url, state, attempts, nextAt } of logged) {
      sent.set(url, (sent.get(url) ?? 0) + attempts.length)
      const last = attempts.at(-1)?.status
      this.expect(state !== 'pending', `${id} to ${url} is pending, next at ${nextAt}`)
      this.expect(
        (state === 'delivered') === isAccepted(last ?? 'error'),
        `${id} is ${state} after a ${last}`,
      )
      this.expect(state !== 'lost' || attempts.length === 0, `${id} is lost, and was sent`)
    }
    for (const url of new Set([...posts.keys(), ...sent.keys()])) {
      const received = posts.get(url)?.length ?? 0
      this.expect(received === (sent.get(url) ?? 0), `${url} got ${received} webhooks, not ${sent.get(url)}`)
    }
    for (const state of ['delivered', 'given_up', 'lost'] as const) {
      const count = logged.filter((delivery) => delivery.state === state).length
      this.expect(count === counts[state], `${counts[state]} are counted as ${state}, and ${count} are`)
    }
  }
}
