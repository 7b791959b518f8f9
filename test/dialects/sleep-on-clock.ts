import { onTestFinished, vi } from 'vitest'
import type { Simulator } from '../../src/index.js'

/** Clients limit a request to a minute or more. Only shorter timers are sleeps, between polls or retries. */
const REQUEST_TIMEOUT = 60_000

/**
 * Makes the sleeps of a client pass on the clock of the simulator until the test ends, so that its poll loop and its
 * retries run unchanged and without waiting. `Date.now` follows the same clock.
 * @param client the npm package whose sleeps advance the clock
 */
export function sleepOnClock(sim: Simulator, client: string): void {
  const realTimeout = globalThis.setTimeout
  const startTimer = (callback: (...values: unknown[]) => void, milliseconds = 0, ...values: unknown[]) => {
    if (milliseconds >= REQUEST_TIMEOUT || !isCalledBy(client, new Error().stack))
      return realTimeout(callback, milliseconds, ...values)
    void sim.clock.advance(Math.ceil(milliseconds)).then(() => callback(...values))
    return undefined
  }
  vi.stubGlobal('setTimeout', startTimer)
  vi.spyOn(Date, 'now').mockImplementation(() => sim.clock.now())
  onTestFinished(() => void vi.unstubAllGlobals())
}

/** Whether the function that started the timer, two frames up, belongs to the package. */
function isCalledBy(client: string, stack = ''): boolean {
  return stack.split('\n')[2]?.includes(`/node_modules/${client}/`) === true
}
