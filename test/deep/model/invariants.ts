import { isTerminal } from '../../../src/engine/tasks/task.js'
import type { Simulator, Task } from '../../../src/index.js'
import { limitOf, poolsOf } from './pools.js'

/** A task according to the events of the simulator. */
interface TrackedTask {
  task: Task
}

const ORDER = ['queued', 'processing', 'succeeded', 'failed', 'canceled']

/** Returns the position of a state in the lifecycle. */
export function progress(status: string): number {
  return Math.min(ORDER.indexOf(status), 2)
}

/**
 * Follows the events of a simulator and records every violation of the rules of tasks. It never throws: its
 * listeners run inside the engine.
 */
export class Invariants {
  readonly #sim: Simulator
  /** The remembered tasks by id. */
  readonly tracked = new Map<string, TrackedTask>()
  /** The ids of the forgotten tasks. */
  readonly forgotten = new Set<string>()
  /** The tasks that were deleted, which are forgotten as well. */
  readonly deleted: Task[] = []
  readonly violations: string[] = []
  /** The unfinished tasks, in the order of their creation. */
  #inside: TrackedTask[] = []
  /** The remembered ended tasks, in the order of their ends. */
  #ended: string[] = []

  constructor(sim: Simulator) {
    this.#sim = sim
    sim.on('task.created', (task) => this.#created(task))
    sim.on('task.started', (task) => this.#started(task))
    sim.on('task.finished', (task) => this.#finished(task))
    sim.on('task.forgotten', (task, reason) => this.#forgot(task, reason))
    sim.on('error', (error) => this.expect(false, `error: ${String(error)}`))
  }

  /** Records a violation if a condition does not hold. */
  expect(isTrue: boolean, otherwise: string): void {
    if (!isTrue) this.violations.push(otherwise)
  }

  forget(): void {
    this.tracked.clear()
    this.forgotten.clear()
    this.deleted.length = 0
    this.#inside = []
    this.#ended = []
  }

  /** Returns the tasks of a key, newest first. */
  ofOwner(owner: string): Task[] {
    const own = [...this.tracked.values()].map(({ task }) => task).filter((task) => task.owner === owner)
    return own.reverse()
  }

  /** Returns the number of tasks of a pool in a state. */
  count(pool: string, status: 'queued' | 'processing'): number {
    return this.#inside.filter(({ task }) => task.status === status && this.#poolsOf(task).includes(pool))
      .length
  }

  /** No task waits while its pools have a free place. True after all due jobs have run. */
  checkNoNeedlessWait(): void {
    const lines = new Set<string>()
    for (const { task } of this.#inside) {
      const pools = this.#poolsOf(task)
      if (task.status !== 'queued' || lines.has(String(pools))) continue
      lines.add(String(pools))
      const isFull = (pool: string) => this.count(pool, 'processing') >= this.#running(pool)
      this.expect(pools.some(isFull), `${task.id} waits, and there is room in ${pools}`)
    }
  }

  /** No more ended tasks are kept than configured, except those with a pending delivery. True after all due jobs have run. */
  checkRetention(): void {
    const { keep } = this.#sim.tasks.retention
    const told = this.#ended.slice(0, -keep).filter((id) => !this.#hasPendingDelivery(id))
    this.expect(told.length === 0, `${told} are kept beyond the last ${keep}`)
  }

  #created(task: Task): void {
    const life: TrackedTask = { task }
    const isNew = !this.tracked.has(task.id) && !this.forgotten.has(task.id)
    this.expect(isNew, `${task.id} was created twice`)
    this.tracked.set(task.id, life)
    this.#inside.push(life)
    if (task.status === 'processing') this.#checkRoom(task)
    else this.#checkLine(task)
  }

  #started(task: Task): void {
    const life = this.#update(task, 'queued')
    if (life === undefined) return
    this.#checkRoom(task)
    const line = String(this.#poolsOf(task))
    const inLine = ({ task }: TrackedTask) => task.status === 'queued' && String(this.#poolsOf(task)) === line
    for (const other of this.#inside.slice(0, this.#inside.indexOf(life)).filter(inLine))
      this.expect(false, `${task.id} started before ${other.task.id}, which came first`)
    this.expect((task.startedAt ?? 0) >= task.createdAt, `${task.id} started before it was created`)
  }

  #finished(task: Task): void {
    const life = this.#update(task)
    this.#inside = this.#inside.filter((other) => other !== life)
    this.#ended.push(task.id)
    const { completedAt = 0, startedAt = task.createdAt, status, cost } = task
    this.expect(isTerminal(status), `${task.id} finished as ${status}`)
    this.expect(completedAt >= startedAt, `${task.id} completed before it started`)
    this.expect(status === 'succeeded' ? cost === 10_000 : cost === 0, `${task.id} ${status} costs ${cost}`)
  }

  #forgot(task: Task, reason: 'evicted' | 'deleted'): void {
    const { id } = task
    const place = this.#ended.indexOf(id)
    this.expect(place >= 0, `${id} is forgotten before it has ended, or twice`)
    if (reason === 'deleted') this.deleted.push(task)
    else this.#checkEviction(id, place)
    this.#ended.splice(place, 1)
    this.tracked.delete(id)
    this.forgotten.add(id)
  }

  #checkEviction(id: string, place: number): void {
    const { keep } = this.#sim.tasks.retention
    // A deletion may have made room for a task that waited for its delivery.
    const isBeyond = place < this.#ended.length + this.deleted.length - keep
    this.expect(isBeyond, `${id} is evicted, one of the last ${keep}`)
    this.expect(!this.#hasPendingDelivery(id), `${id} is evicted before all were told`)
  }

  #hasPendingDelivery(taskId: string): boolean {
    const page = this.#sim.webhooks.log.list({ taskId, state: 'pending', limit: 1 })
    return page?.deliveries.length === 1
  }

  #update(task: Task, before?: string): TrackedTask | undefined {
    const life = this.tracked.get(task.id)
    this.expect(life !== undefined, `${task.id} is ${task.status} and was never created`)
    if (life === undefined) return undefined
    const { status } = life.task
    const isForward = before === undefined ? progress(status) < 2 : status === before
    this.expect(isForward, `${task.id} went from ${status} to ${task.status}`)
    life.task = task
    return life
  }

  #checkRoom(task: Task): void {
    for (const pool of this.#poolsOf(task)) {
      const count = this.count(pool, 'processing')
      const limit = this.#running(pool)
      this.expect(count <= limit, `${task.id} is one of ${count} in ${pool}, where ${limit} may run`)
    }
  }

  #checkLine(task: Task): void {
    for (const pool of this.#poolsOf(task)) {
      const { queued = Infinity } = limitOf(this.#sim.scenario.capacity, pool)
      this.expect(this.count(pool, 'queued') <= queued, `more than ${queued} wait in ${pool}`)
    }
  }

  /** Returns the pools that count a task under the current limits. */
  #poolsOf(task: Task): string[] {
    return poolsOf(this.#sim.scenario.capacity, task)
  }

  #running(pool: string): number {
    return limitOf(this.#sim.scenario.capacity, pool).running ?? Infinity
  }
}
