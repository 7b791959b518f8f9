import type { Lead } from './lead-ledger.js'
import type { Ledger } from './ledger.js'
import { Preload } from './preload.js'
import { pause } from './wait.js'

/** The time between two attempts to become the leader, in milliseconds. */
const INTERVAL = 100

/**
 * Waits until this process leads a ledger.
 * @param signal ends the wait
 * @param onError receives the first error of a series of failed attempts
 * @returns undefined if the signal has ended the wait
 */
export async function waitForLead(
  ledger: Ledger,
  signal: AbortSignal,
  onError: (error: unknown) => void,
  interval = INTERVAL,
): Promise<Lead | undefined> {
  const preload = new Preload(ledger)
  let hasFailed = false
  while (!signal.aborted) {
    try {
      const epoch = await ledger.lead()
      if (epoch !== undefined) return { epoch, saved: await preload.take() }
      await preload.check()
      hasFailed = false
    } catch (error) {
      if (!hasFailed) onError(error)
      hasFailed = true
    }
    await pause(interval, signal)
  }
  return undefined
}
