import Queue from 'yocto-queue'
import type { PoolLimit, PoolLimits } from '../scenario/scenario.js'
import { type Applicant, CapacityLimits } from './capacity-limits.js'
import type { Task } from './task.js'

/** A task that has not ended. */
type LiveTask = Pick<Task, 'id'> & Applicant

interface Pool {
  readonly name: string
  readonly limit: PoolLimit
  running: number
  queued: number
}

/** Tasks that need slots in the same pools. They start in the order of their arrival. */
interface Line {
  readonly key: string
  readonly pools: readonly Pool[]
  readonly waiting: Queue<Member>
}

/** A task that runs or waits under limits. */
interface Member {
  readonly id: string
  readonly applicant: Applicant
  readonly order: number
  line: Line
  state: 'queued' | 'running' | 'left'
}

/** The line that a task would join. */
export interface Claim {
  readonly line: Line
  /** Whether the task runs at once. */
  readonly hasSlot: boolean
  /** Whether the task can neither run nor wait. */
  readonly isRefused: boolean
}

/** The line of tasks without a limit. */
const NO_LINE: Line = { key: '', pools: [], waiting: new Queue() }
const UNLIMITED: Claim = { line: NO_LINE, hasSlot: true, isRefused: false }

/**
 * Limits how many tasks run and how many wait. A running task takes a slot in every pool that limits it: the pool of
 * all tasks, of its kind, of its model and of its key. Without limits, it keeps no record of new tasks, because all of
 * them run.
 */
export class Capacity {
  #limits: CapacityLimits
  /** By name, those in which a task runs or waits. */
  #pools = new Map<string, Pool>()
  #lines = new Map<string, Line>()
  #members = new Map<string, Member>()
  #order = 0

  constructor(settings: PoolLimits = {}) {
    this.#limits = new CapacityLimits(settings)
  }

  /**
   * Changes the limits. Running tasks keep running, even above the new limits, and queued tasks stay queued.
   * @param live all tasks that have not ended
   */
  configure(settings: PoolLimits, live: Iterable<LiveTask>): void {
    this.#limits = new CapacityLimits(settings)
    this.#pools = new Map()
    this.#lines = new Map()
    if (!this.#limits.isNone) this.#addMissing(live)
    for (const member of this.#members.values()) {
      member.line = this.claim(member.applicant).line
      if (member.state === 'running') this.#run(member)
      else this.#queue(member)
    }
  }

  /** Finds the line that a task would join, and whether the line accepts it. */
  claim(applicant: Applicant): Claim {
    if (this.#limits.isNone) return UNLIMITED
    const names = this.#limits.namesOf(applicant)
    if (names.length === 0) return UNLIMITED
    const line = this.#lineOf(names)
    const hasSlot = headOf(line) === undefined && hasFreeSlot(line)
    return {
      line,
      hasSlot,
      isRefused: !hasSlot && line.pools.some(({ queued, limit }) => queued >= (limit.queued ?? Infinity)),
    }
  }

  /** Adds a task, with what {@link claim} has returned just before. */
  enter(id: string, applicant: Applicant, { line, hasSlot }: Claim): void {
    if (!this.#limits.isNone) this.#add(id, applicant, line, hasSlot)
  }

  /** Whether a task that has not ended has a slot. */
  hasSlot(id: string): boolean {
    const member = this.#members.get(id)
    return member === undefined ? this.#limits.isNone : member.state === 'running'
  }

  /** Adds a task of a simulator that was saved. Call it in the order of their creation. */
  restore(id: string, applicant: Applicant, hasSlot: boolean): void {
    if (this.#limits.isNone && hasSlot) return
    this.#add(id, applicant, this.claim(applicant).line, hasSlot)
  }

  /** Removes a task. */
  leave(id: string): void {
    const member = this.#members.get(id)
    if (member === undefined) return
    this.#members.delete(id)
    const count = member.state === 'running' ? 'running' : 'queued'
    member.state = 'left'
    for (const pool of member.line.pools) {
      pool[count] -= 1
      if (pool.running + pool.queued === 0) this.#pools.delete(pool.name)
    }
  }

  /** Gives free slots to waiting tasks in the order of their arrival. @returns the ids of these tasks */
  fill(): string[] {
    const started: string[] = []
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      next.line.waiting.dequeue()
      for (const pool of next.line.pools) pool.queued -= 1
      this.#run(next)
      started.push(next.id)
    }
    return started
  }

  /**
   * The number of waiting tasks that come before a waiting task and need one of its slots.
   * @returns undefined if the task does not wait
   */
  positionOf(id: string): number | undefined {
    const member = this.#members.get(id)
    if (member?.state !== 'queued') return undefined
    const { pools } = member.line
    let position = 0
    for (const line of this.#lines.values()) {
      if (line !== member.line && !line.pools.some((pool) => pools.includes(pool))) continue
      for (const other of line.waiting) {
        if (other === member || other.order > member.order) break
        if (other.state === 'queued') position += 1
      }
    }
    return position
  }

  /** Removes all tasks. */
  clear(): void {
    this.#pools = new Map()
    this.#lines = new Map()
    this.#members = new Map()
    this.#order = 0
  }

  /** Adds the tasks that began to run without limits. */
  #addMissing(live: Iterable<LiveTask>): void {
    for (const { id, kind, model, owner } of live)
      if (!this.#members.has(id)) this.#add(id, { kind, model, owner }, NO_LINE, true)
  }

  #add(id: string, applicant: Applicant, line: Line, runs: boolean): void {
    const member: Member = { id, applicant, order: this.#order++, line, state: 'queued' }
    this.#members.set(id, member)
    if (runs) this.#run(member)
    else this.#queue(member)
  }

  #run(member: Member): void {
    member.state = 'running'
    for (const pool of member.line.pools) {
      pool.running += 1
      this.#pools.set(pool.name, pool)
    }
  }

  #queue(member: Member): void {
    // A task that is no longer limited waits in a separate line until the next `fill`.
    if (member.line === NO_LINE) member.line = { ...NO_LINE, key: `freed ${member.id}`, waiting: new Queue() }
    for (const pool of member.line.pools) {
      pool.queued += 1
      this.#pools.set(pool.name, pool)
    }
    member.line.waiting.enqueue(member)
    this.#lines.set(member.line.key, member.line)
  }

  /** The first of all waiting tasks that can run now. */
  #next(): Member | undefined {
    let first: Member | undefined
    for (const line of this.#lines.values()) {
      const head = headOf(line)
      if (head === undefined) this.#lines.delete(line.key)
      else if (hasFreeSlot(line) && head.order < (first?.order ?? Infinity)) first = head
    }
    return first
  }

  #lineOf(names: readonly string[]): Line {
    const key = names.join('\0')
    return (
      this.#lines.get(key) ?? { key, pools: names.map((name) => this.#poolOf(name)), waiting: new Queue() }
    )
  }

  #poolOf(name: string): Pool {
    return this.#pools.get(name) ?? { name, limit: this.#limits.of(name), running: 0, queued: 0 }
  }
}

/** Returns the first task in a line, after removing the tasks before it that have left. */
function headOf({ waiting }: Line): Member | undefined {
  while (waiting.peek()?.state === 'left') waiting.dequeue()
  return waiting.peek()
}

function hasFreeSlot(line: Line): boolean {
  return line.pools.every(({ running, limit }) => running < (limit.running ?? Infinity))
}

/** Thrown if a new task can neither run nor wait within the scenario's capacity. */
export class CapacityError extends Error {
  override readonly name = 'CapacityError'

  constructor() {
    super('Too many tasks are running and waiting.')
  }
}
