import type { Simulator } from '../../src/index.js'

/** Enough turns for all work in this process to continue until it waits for the clock. */
const TURNS = 20

/** Advances the clock from one due job to the next until the work is done. */
export async function advanceUntilDone<Value>(sim: Simulator, work: Promise<Value>): Promise<Value> {
  let isDone = false
  const finish = () => {
    isDone = true
  }
  work.then(finish, finish)
  for (;;) {
    for (let turn = 0; turn < TURNS && !isDone; turn++) await new Promise((resolve) => setImmediate(resolve))
    if (isDone) return work
    const { next } = sim.clock
    if (next !== undefined) await sim.clock.advanceTo(Math.max(next, sim.clock.now()))
  }
}
