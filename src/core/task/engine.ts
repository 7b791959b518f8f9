import type { Events } from '../events.js'
import { base62, type Chance } from '../random.js'
import type { Clock } from '../time/clock.js'
import type { Scheduled, Timeline } from '../time/timeline.js'
import { canonicalJson } from './canonical.js'
import { type Ending, end } from './lifecycle.js'
import { type Planner, UNEXPLAINED } from './planner.js'
import { costOf } from './pricing.js'
import { produce } from './production.js'
import type { ListQuery, TaskPage, TaskStore } from './store.js'
import { isTerminal, type JsonObject, type Task } from './task.js'

/** What a client asks for when it creates a task. */
export interface NewTask {
  readonly owner: string
  readonly model: string
  readonly input: JsonObject
  readonly webhookUrl: string | undefined
  readonly origin: string
}

/** What the engine is built from. */
export interface EngineParts {
  readonly clock: Clock
  readonly timeline: Timeline
  readonly store: TaskStore
  readonly events: Events
  /** The root of all chance in this simulator. */
  readonly chance: Chance
  readonly planner: Planner
}

/** Makes tasks and moves them through their lifecycle by the clock. */
export class Engine {
  readonly #parts: Omit<EngineParts, 'planner'>
  #planner: Planner
  /** How often each model and input was asked for, by the fingerprint of both. */
  #occurrences = new Map<number, number>()
  /** The planned ends of the tasks that have not ended. */
  #ends = new Map<string, Scheduled>()

  constructor({ planner, ...parts }: EngineParts) {
    this.#parts = parts
    this.#planner = planner
  }

  get planner(): Planner {
    return this.#planner
  }

  /** Plans all further tasks by another scenario; tasks that exist keep their plans. */
  set planner(planner: Planner) {
    this.#planner = planner
  }

  async create(order: NewTask): Promise<Task> {
    const { clock, store, events } = this.#parts
    const { chance, occurrence } = this.#chanceOf(order)
    const { kind, plan } = this.#planner.plan({ ...order, occurrence }, chance)
    const now = clock.now()
    const task: Task = {
      id: `task_${base62(chance.stream('id'), 24)}`,
      owner: order.owner,
      model: order.model,
      kind,
      input: order.input,
      webhookUrl: order.webhookUrl,
      origin: order.origin,
      plan,
      status: 'processing',
      createdAt: now,
      completedAt: undefined,
      result: undefined,
      error: undefined,
      cost: undefined,
    }
    await store.add(task)
    this.#planEnd(task)
    events.emit('task.created', task)
    return task
  }

  get(id: string): Promise<Task | undefined> {
    return this.#parts.store.get(id)
  }

  list(query: ListQuery): Promise<TaskPage | undefined> {
    return this.#parts.store.list(query)
  }

  /** @returns the canceled task, or undefined where it had ended already */
  async cancel(id: string): Promise<Task | undefined> {
    return this.#end(id, { status: 'canceled' }, this.#parts.clock.now())
  }

  /** Forgets everything. What was planned must be taken off the timeline by its owner. */
  async clear(): Promise<void> {
    this.#occurrences = new Map()
    this.#ends = new Map()
    await this.#parts.store.clear()
  }

  #chanceOf({ model, input }: NewTask): { chance: Chance; occurrence: number } {
    const request = this.#parts.chance.child(`${model}\0${canonicalJson(input)}`)
    const occurrence = (this.#occurrences.get(request.fingerprint) ?? 0) + 1
    this.#occurrences.set(request.fingerprint, occurrence)
    return { chance: request.child(String(occurrence)), occurrence }
  }

  #planEnd({ id, plan, createdAt }: Task): void {
    if (plan.outcome === 'stuck') return
    const end = this.#parts.timeline.at(createdAt + plan.delay, (at) => this.#complete(id, at))
    this.#ends.set(id, end)
  }

  async #complete(id: string, at: number): Promise<void> {
    const task = await this.#parts.store.get(id)
    if (task === undefined || isTerminal(task.status)) return
    await this.#end(id, await this.#endingOf(task), at)
  }

  async #end(id: string, ending: Ending, at: number): Promise<Task | undefined> {
    const ended = await this.#parts.store.update(id, (task) => end(task, ending, at))
    if (ended === undefined) return undefined
    this.#ends.get(id)?.cancel()
    this.#ends.delete(id)
    this.#parts.events.emit('task.finished', ended, at)
    return ended
  }

  /** A task whose result cannot be made fails, rather than being lost. */
  async #endingOf(task: Task): Promise<Ending> {
    const { outcome, price, error = UNEXPLAINED } = task.plan
    if (outcome === 'failed') return { status: 'failed', error }
    if (outcome === 'canceled') return { status: 'canceled' }
    try {
      const { result, usage } = await produce(task)
      return { status: 'succeeded', result, cost: costOf(price, usage) }
    } catch (problem) {
      this.#parts.events.emit('error', problem)
      return { status: 'failed', error: UNEXPLAINED }
    }
  }
}
