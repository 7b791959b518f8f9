import { startTimer, stopwatch } from './clock/system-clock.js'
import { base62, type Chance } from './random.js'

/** What a sandbox is known by. */
export interface SandboxIdentity {
  readonly id: string
  /** The API key that leads into it; so does every key that begins with it and a dot. */
  readonly key: string
  /** What its draws are rooted in, beside the seed. */
  readonly root: string
}

/** One isolated simulator. */
export interface Sandbox<Sim> {
  readonly identity: SandboxIdentity
  readonly sim: Sim
  /** Milliseconds of real time without a request after which it is forgotten. */
  readonly idle: number
}

interface Kept<Sim> extends Sandbox<Sim> {
  lastUsed: number
}

/** What every sandbox's API key begins with. */
export const SANDBOX_KEY_PREFIX = 'sk_sandbox_'

/** Half an hour. */
const ORDINARY_IDLE = 1_800_000
const MOST = 10_000
const SWEEP_EVERY = 30_000

/** The isolated simulators beside one, each behind an API key of its own. */
export class Sandboxes<Sim extends { close(): void }> {
  readonly #chance: Chance
  readonly #byId = new Map<string, Kept<Sim>>()
  readonly #byKey = new Map<string, Kept<Sim>>()
  #made = 0
  #stopSweeping: (() => void) | undefined

  constructor(chance: Chance) {
    this.#chance = chance
  }

  get size(): number {
    return this.#byId.size
  }

  /** Whether there is no room for one more. */
  get isFull(): boolean {
    return this.size >= MOST
  }

  /**
   * Makes one.
   * @param name roots its draws: two sandboxes with the same name and seed make the same tasks
   * @param make is given what the new one is known by
   */
  create(make: (identity: SandboxIdentity) => Sim, name = '', idle = ORDINARY_IDLE): Sandbox<Sim> {
    this.#made += 1
    const secret = base62(this.#chance.stream(`sandbox ${this.#made}`), 16)
    const id = `sb_${this.#made.toString(36)}`
    const identity = { id, key: `${SANDBOX_KEY_PREFIX}${secret}`, root: `sandbox ${name}` }
    const sandbox = { identity, sim: make(identity), idle, lastUsed: stopwatch() }
    this.#byId.set(id, sandbox)
    this.#byKey.set(identity.key, sandbox)
    this.#sweepLater()
    return sandbox
  }

  list(): readonly Sandbox<Sim>[] {
    return [...this.#byId.values()]
  }

  get(id: string): Sandbox<Sim> | undefined {
    return used(this.#byId.get(id))
  }

  /** The one that an API key leads into. */
  byKey(key: string): Sandbox<Sim> | undefined {
    const dot = key.indexOf('.')
    return used(this.#byKey.get(dot === -1 ? key : key.slice(0, dot)))
  }

  /** Ends one and forgets all that is in it. @returns whether there was one */
  delete(id: string): boolean {
    const sandbox = this.#byId.get(id)
    if (sandbox === undefined) return false
    this.#byId.delete(id)
    this.#byKey.delete(sandbox.identity.key)
    sandbox.sim.close()
    return true
  }

  /** Ends all of them. */
  clear(): void {
    for (const id of [...this.#byId.keys()]) this.delete(id)
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

function used<Sim>(sandbox: Kept<Sim> | undefined): Kept<Sim> | undefined {
  if (sandbox !== undefined) sandbox.lastUsed = stopwatch()
  return sandbox
}
