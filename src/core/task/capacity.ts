import Queue from 'yocto-queue'
import { globMatcher } from '../scenario/glob.js'
import type { CapacitySettings, PoolLimit } from '../scenario/scenario.js'
import type { Kind } from './task.js'

/** Who wants a place. */
export interface Applicant {
  readonly kind: Kind
  readonly model: string
  readonly owner: string
}

interface Pool {
  readonly name: string
  limit: PoolLimit
  running: number
  queued: number
}

/** Tasks that need places in the same pools; they start in the order of their arrival. */
interface Line {
  readonly key: string
  readonly pools: readonly Pool[]
  readonly waiting: Queue<Ticket>
}

interface Ticket {
  readonly id: string
  readonly order: number
  readonly line: Line
  state: 'queued' | 'running' | 'left'
}

/** What an applicant would get: a place in a line, or none at all. */
export interface Claim {
  readonly line: Line | undefined
  /** True where the lines of its pools are full. */
  readonly isRefused: boolean
}

/**
 * The places in which tasks run, and the lines in which they wait for one. A task takes a place in every pool
 * that limits it: that of everything, of its kind, its model and its key.
 */
export class Capacity {
  #settings: CapacitySettings
  #pools = new Map<string, Pool>()
  #lines = new Map<string, Line>()
  #tickets = new Map<string, Ticket>()
  #order = 0

  constructor(settings: CapacitySettings) {
    this.#settings = settings
  }

  /** Takes other limits. Who runs goes on running, also where there are fewer places now. */
  configure(settings: CapacitySettings): void {
    this.#settings = settings
    for (const pool of this.#pools.values()) pool.limit = this.#limitOf(pool.name)
  }

  /** Looks whether an applicant could come in. */
  claim(applicant: Applicant): Claim {
    if (this.#isUnlimited) return UNLIMITED
    const names = this.#poolNames(applicant)
    if (names.length === 0) return UNLIMITED
    const line = this.#lineOf(names)
    const mustWait = headOf(line) !== undefined || !hasRoom(line)
    return {
      line,
      isRefused: mustWait && line.pools.some(({ queued, limit }) => queued >= (limit.queued ?? Infinity)),
    }
  }

  /**
   * Lets a task in.
   * @returns whether it runs; otherwise it waits
   */
  enter(id: string, { line }: Claim): boolean {
    if (line === undefined) return true
    const ticket: Ticket = { id, order: this.#order++, line, state: 'queued' }
    this.#tickets.set(id, ticket)
    if (headOf(line) === undefined && hasRoom(line)) {
      this.#run(ticket)
      return true
    }
    for (const pool of line.pools) pool.queued += 1
    line.waiting.enqueue(ticket)
    this.#lines.set(line.key, line)
    return false
  }

  /** Takes a task out, from its place or from its line. */
  leave(id: string): void {
    const ticket = this.#tickets.get(id)
    if (ticket === undefined) return
    this.#tickets.delete(id)
    const count = ticket.state === 'running' ? 'running' : 'queued'
    ticket.state = 'left'
    for (const pool of ticket.line.pools) {
      pool[count] -= 1
      if (pool.running + pool.queued === 0) this.#pools.delete(pool.name)
    }
  }

  /** Gives free places to those who wait, first come first served, and says who got one. */
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

  /** Forgets everybody. */
  clear(): void {
    this.#pools = new Map()
    this.#lines = new Map()
    this.#tickets = new Map()
    this.#order = 0
  }

  #run(ticket: Ticket): void {
    ticket.state = 'running'
    for (const pool of ticket.line.pools) pool.running += 1
  }

  /** Of all who wait and for whom there is room, the one who came first. */
  #next(): Ticket | undefined {
    let first: Ticket | undefined
    for (const line of this.#lines.values()) {
      const head = headOf(line)
      if (head === undefined) this.#lines.delete(line.key)
      else if (hasRoom(line) && head.order < (first?.order ?? Infinity)) first = head
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
    let pool = this.#pools.get(name)
    if (pool === undefined) {
      pool = { name, limit: this.#limitOf(name), running: 0, queued: 0 }
      this.#pools.set(name, pool)
    }
    return pool
  }

  get #isUnlimited(): boolean {
    const { running, kinds, models, keys } = this.#settings
    return running === undefined && isEmpty(kinds) && isEmpty(models) && isEmpty(keys)
  }

  #poolNames({ kind, model, owner }: Applicant): string[] {
    const names = ['everything', `kinds ${kind}`, `models ${model}`, `keys ${owner}`]
    return names.filter((name) => this.#limitOf(name).running !== undefined)
  }

  #limitOf(name: string): PoolLimit {
    if (name === 'everything') return this.#settings
    const space = name.indexOf(' ')
    const limits = this.#settings[name.slice(0, space) as 'kinds' | 'models' | 'keys'] ?? {}
    return bestMatch(limits, name.slice(space + 1)) ?? {}
  }
}

const UNLIMITED: Claim = { line: undefined, isRefused: false }

function isEmpty(limits: object | undefined): boolean {
  for (const _ in limits) return false
  return true
}

/** Who is first in a line; those who left it are passed over. */
function headOf({ waiting }: Line): Ticket | undefined {
  while (waiting.peek()?.state === 'left') waiting.dequeue()
  return waiting.peek()
}

function hasRoom(line: Line): boolean {
  return line.pools.every(({ running, limit }) => running < (limit.running ?? Infinity))
}

/** What stands under the very name, or else under the first pattern that matches it. */
function bestMatch(
  limits: Readonly<Record<string, PoolLimit | undefined>>,
  name: string,
): PoolLimit | undefined {
  if (Object.hasOwn(limits, name)) return limits[name]
  return Object.entries(limits).find(([pattern]) => pattern.includes('*') && globMatcher(pattern)(name))?.[1]
}
