import { endsWithin } from '../engine/clock/in-flight.js'
import { startTimer, stopwatch } from '../engine/clock/system-clock.js'
import type { Simulator } from '../simulator.js'

/** Milliseconds between two looks at what is still pending. */
const INTERVAL = 25

/** Lets everything happen that is due: on a manual clock, a task that ends at once does so with the next request. */
export async function catchUp(sim: Simulator): Promise<void> {
  await Promise.all(withSandboxes(sim).map((each) => each.catchUp()))
}

/** How many deliveries of a simulator, its sandboxes included, have come to no end. */
export function pendingDeliveries(sim: Simulator): number {
  return withSandboxes(sim).reduce((sum, { webhooks }) => sum + webhooks.log.counts.pending, 0)
}

/**
 * Waits until no delivery is left that can still be attempted in time: one on the wire, or due before the limit. On a
 * manual clock nothing becomes due, so it waits only for what is due already.
 * @param limit milliseconds of real time
 */
export async function drain(sim: Simulator, limit: number): Promise<void> {
  const deadline = stopwatch() + limit
  await Promise.all(withSandboxes(sim).map((each) => drainOne(each, deadline)))
}

async function drainOne(sim: Simulator, deadline: number): Promise<void> {
  const left = () => deadline - stopwatch()
  if (sim.clock.mode === 'manual') {
    await endsWithin(left(), sim.settled())
    return
  }
  while (left() > 0 && hasAttemptsWithin(sim, left())) await pause(INTERVAL)
}

function hasAttemptsWithin({ clock, webhooks }: Simulator, milliseconds: number): boolean {
  const end = clock.now() + milliseconds * clock.speed
  for (const { nextAt } of webhooks.log.pending()) if (nextAt === undefined || nextAt <= end) return true
  return false
}

function withSandboxes(sim: Simulator): Simulator[] {
  return [sim, ...sim.sandboxes.list().map((sandbox) => sandbox.sim)]
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    startTimer(milliseconds, resolve, true)
  })
}
