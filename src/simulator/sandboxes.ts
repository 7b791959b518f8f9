import { startTimer, stopwatch } from '../engine/clock/system-clock.js'
import type { Events } from '../engine/events.js'
import { prefixIn } from '../engine/partition.js'
import { type Chance, drawWord } from '../engine/random.js'

/** The identity of a sandbox. */
export interface SandboxIdentity {
  readonly id: string
  /** The name that its creator gave it; empty if none. */
  readonly name: string
  /** Its API key. Every key that starts with this key and a dot also belongs to the sandbox. */
  readonly key: string
  /** Determines its random draws, together with the seed. */
  readonly root: string
}

/** One isolated simulator. */
export interface Sandbox<Sim> {
  /** Its number in the order of creation, from 1. */
  readonly number: number
  readonly identity: SandboxIdentity
  readonly sim: Sim
  /** Milliseconds of real time without a request after which it is deleted. */
  readonly idle: number
}

interface SandboxEntry<Sim> extends Sandbox<Sim> {
  lastUsed: number
}

/** The prefix of the API key of every sandbox. */
export const SANDBOX_KEY_PREFIX = 'sk_sandbox_'

/** Half an hour. */
const DEFAULT_IDLE = 1_800_000
/** How many sandboxes there can be at a time. */
export const MAX_SANDBOXES = 10_000
const SWEEP_EVERY = 30_000

/** Manages isolated simulators, each with its own API key. Deletes idle ones. */
export class Sandboxes<Sim extends { close(): void }> {
  readonly #chance: Chance
  readonly #events: Events
  readonly #partition: string | undefined
  readonly #byId = new Map<string, SandboxEntry<Sim>>()
  readonly #byKey = new Map<string, SandboxEntry<Sim>>()
  /** The number of sandboxes that were ever created. */
  created = 0
  #stopSweeping: (() => void) | undefined

  /** @param partition the partition of the server, for ids and keys */
  constructor(chance: Chance, events: Events, partition?: string) {
    this.#chance = chance
    this.#events = events
    this.#partition = partition
  }

  get size(): number {
    return this.#byId.size
  }

  /** Whether no further sandbox can be created. */
  get isFull(): boolean {
    return this.size >= MAX_SANDBOXES
  }

  /**
   * Creates a sandbox.
   * @param build builds the simulator of the sandbox
   * @param name determines its random draws: two sandboxes with the same name and seed create the same tasks
   */
  create(build: (identity: SandboxIdentity) => Sim, name = '', idle = DEFAULT_IDLE): Sandbox<Sim> {
    this.created += 1
    const secret = drawWord(this.#chance.stream(`sandbox ${this.created}`), 16)
    const id = `${prefixIn(this.#partition, 'sb_')}${this.created.toString(36)}`
    const key = `${prefixIn(this.#partition, SANDBOX_KEY_PREFIX)}${secret}`
    const identity = { id, name, key, root: `sandbox ${name}` }
    const sandbox = { number: this.created, identity, sim: build(identity), idle }
    this.add(sandbox)
    this.#events.emit('sandbox.created', id)
    return sandbox
  }

  /** Adds a sandbox that was created before, in another process. */
  add(sandbox: Sandbox<Sim>): void {
    const entry = { ...sandbox, lastUsed: stopwatch() }
    this.#byId.set(sandbox.identity.id, entry)
    this.#byKey.set(sandbox.identity.key, entry)
    this.#sweepLater()
  }

  list(): readonly Sandbox<Sim>[] {
    return [...this.#byId.values()]
  }

  get(id: string): Sandbox<Sim> | undefined {
    return markUsed(this.#byId.get(id))
  }

  /** The sandbox of an API key. */
  byKey(key: string): Sandbox<Sim> | undefined {
    const dot = key.indexOf('.')
    return markUsed(this.#byKey.get(dot === -1 ? key : key.slice(0, dot)))
  }

  /** Deletes a sandbox with everything in it. @returns false if none has this id */
  delete(id: string): boolean {
    const sandbox = this.#byId.get(id)
    if (sandbox === undefined) return false
    this.#events.emit('sandbox.deleted', id)
    this.#byId.delete(id)
    this.#byKey.delete(sandbox.identity.key)
    sandbox.sim.close()
    return true
  }

  /** Deletes all sandboxes. */
  clear(): void {
    for (const id of [...this.#byId.keys()]) this.delete(id)
  }

  /** Stops all sandboxes and forgets them, without an event, so that a later process can continue them. */
  close(): void {
    for (const { sim } of this.#byId.values()) sim.close()
    this.#byId.clear()
    this.#byKey.clear()
    this.#stopSweeping?.()
    this.#stopSweeping = undefined
  }

  #sweepLater(): void {
    this.#stopSweeping ??= startTimer(SWEEP_EVERY, () => this.#sweep())
  }

  #sweep(): void {
    this.#stopSweeping = undefined
    const now = stopwatch()
    for (const { identity, idle, lastUsed } of [...this.#byId.values()]) {
      if (now - lastUsed >= idle) this.delete(identity.id)
    }
    if (this.size > 0) this.#sweepLater()
  }
}

function markUsed<Sim>(sandbox: SandboxEntry<Sim> | undefined): SandboxEntry<Sim> | undefined {
  if (sandbox !== undefined) sandbox.lastUsed = stopwatch()
  return sandbox
}
