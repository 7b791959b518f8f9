// The clock must not run ahead while a request waits for a module that is loaded on first use.
import '../../src/http/handlers/lazy/compile.js'
import '../../src/http/uploads/read-form-order.js'
import '../../src/http/uploads/signed-upload.js'
import type { Simulator } from '../../src/index.js'

/** Enough turns for all work in this process to continue until it waits for the clock. */
const TURNS = 20

/**
 * Advances the clock from one due job to the next until the work is done.
 * @param inFlight the number of requests for whose answer the clock waits, too
 */
export async function advanceUntilDone<Value>(
  sim: Simulator,
  work: Promise<Value>,
  inFlight: () => number = () => 0,
): Promise<Value> {
  let isDone = false
  const finish = () => {
    isDone = true
  }
  work.then(finish, finish)
  for (;;) {
    for (let turn = 0; !isDone && (turn < TURNS || inFlight() > 0); turn++)
      await new Promise((resolve) => setImmediate(resolve))
    if (isDone) return work
    const { next } = sim.clock
    if (next !== undefined) await advanceTo(sim, Math.max(next, sim.clock.now()))
  }
}

/** Advances the clock to an instant, unless the timers of the client advance it further in the meantime. */
async function advanceTo({ clock }: Simulator, instant: number): Promise<void> {
  await clock.advanceTo(instant).catch((error) => {
    if (clock.now() <= instant) throw error
  })
}
