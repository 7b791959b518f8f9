import { writeDuration } from '../engine/clock/durations.js'
import type { Reply } from '../exchange/exchange.js'
import { Progress } from '../explore/progress.js'
import type { RunEnd } from '../explore/run.js'
import type { Simulator } from '../simulator/simulator.js'
import { callAbandonable, isAbandoned, never } from './abandoned.js'
import type { Patience } from './timers/clock-timers.js'
import { realImmediate } from './timers/global-time.js'
import type { Watcher } from './world.js'

/** A client that sends so many requests without any progress hangs, even if it is patient: at one instant, and in all. */
const MOST_REQUESTS = { atOnce: 1_000, inAll: 10_000 }

/** Runs a function of the code under test to its end, or abandons it when it hangs. */
export class ClientRun implements Watcher {
  readonly #sim: Simulator
  readonly #milliseconds: number
  readonly #progress: Progress
  readonly #stopCounting: () => void
  readonly #hung: Promise<RunEnd>
  #onHang: (end: RunEnd) => void = () => {}
  /** The numbers of requests at this instant, and since the last progress. */
  readonly #requests = { atOnce: 0, inAll: 0 }
  #now = 0
  #lastProgress: unknown
  #isRunning = false
  #isAbandoned = false

  /** @param patience how long the function may make no progress, in milliseconds on the clock */
  constructor(sim: Simulator, patience: number) {
    this.#sim = sim
    this.#milliseconds = patience
    this.#progress = new Progress(sim)
    this.#stopCounting = sim.on('request.answered', () => this.#count())
    this.#hung = new Promise((resolve) => {
      this.#onHang = resolve
    })
  }

  readonly patience: Patience = {
    deadline: () => (this.#isRunning ? this.#progress.last.at + this.#milliseconds : undefined),
    giveUp: () => {
      const waited = writeDuration(this.#milliseconds)
      this.#onHang({ type: 'hang', message: `It made no progress for ${waited} on the clock.` })
    },
  }

  /** An abandoned function gets no more answers. */
  async answer(pending: Promise<Reply>): Promise<Reply> {
    const isLate = this.#isAbandoned && !isAbandoned()
    const reply = await pending
    return this.#isAbandoned && !isLate ? never() : reply
  }

  /** Runs the function. It is abandoned at the end, however it ends. */
  async run(client: () => unknown, uncaught: Promise<RunEnd>): Promise<RunEnd> {
    this.#isRunning = true
    const { result, abandon } = callAbandonable(() => settled(client))
    const end = await Promise.race([result, uncaught, this.#hung])
    this.#isRunning = false
    this.#isAbandoned = true
    this.#stopCounting()
    this.#progress.stop()
    abandon()
    // An error that nobody has caught is known only after the next turns of the event loop.
    const crash = await Promise.race([uncaught, turns(2)])
    return crash ?? end
  }

  #count(): void {
    const { last } = this.#progress
    const now = this.#sim.clock.now()
    const isProgress = last !== this.#lastProgress
    this.#requests.inAll = isProgress ? 0 : this.#requests.inAll + 1
    this.#requests.atOnce = isProgress || now !== this.#now ? 0 : this.#requests.atOnce + 1
    this.#lastProgress = last
    this.#now = now
    const { atOnce, inAll } = this.#requests
    if (atOnce < MOST_REQUESTS.atOnce && inAll < MOST_REQUESTS.inAll) {
      if (this.#isRunning && now > last.at + this.#milliseconds) this.patience.giveUp()
      return
    }
    const where = atOnce < MOST_REQUESTS.atOnce ? '' : ' at one instant of the clock'
    this.#onHang({
      type: 'hang',
      message: `It sent ${Math.max(atOnce, inAll)} requests${where} without any progress.`,
    })
  }
}

async function settled(client: () => unknown): Promise<RunEnd> {
  try {
    await client()
    return { type: 'success' }
  } catch (error) {
    return { type: 'failure', message: describeError(error) }
  }
}

const UNCAUGHT = ['unhandledRejection', 'uncaughtException'] as const

/**
 * Listens for errors that nobody has caught, in place of Vitest, which would fail the whole run of the tests.
 * @returns the first such error, and a function that restores the listeners
 */
export function catchUncaught(): { readonly uncaught: Promise<RunEnd>; readonly restore: () => void } {
  let onError: (error: unknown) => void = () => {}
  const uncaught = new Promise<RunEnd>((resolve) => {
    onError = (error) => resolve({ type: 'crash', message: describeError(error) })
  })
  const replaced = UNCAUGHT.map((name) => [name, process.listeners(name as 'uncaughtException')] as const)
  for (const name of UNCAUGHT) process.removeAllListeners(name).on(name, onError)
  const restore = () => {
    for (const [name, listeners] of replaced) {
      process.removeListener(name, onError)
      for (const listener of listeners) process.on(name, listener)
    }
  }
  return { uncaught, restore }
}

/** Waits some turns of the event loop. */
export async function turns(count: number): Promise<undefined> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => realImmediate(resolve))
}

function describeError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
