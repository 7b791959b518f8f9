// Moves the mock timers of node:test and the clock of the simulator together.
import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'

const STEP = 100
const LIMIT = 10 * 60_000

/** Returns a function that lets time pass, for the client and for the service, until some work ends. */
export function timeFor(sim, server) {
  let requests = 0
  server.events.on('request:start', () => requests++)
  server.events.on('request:end', () => requests--)

  return async function untilDone(work, limit = LIMIT) {
    let isDone = false
    const finish = () => {
      isDone = true
    }
    work.then(finish, finish)
    for (let passed = 0; passed < limit; passed += STEP) {
      // A request takes no time, unless the service holds its answer or never sends it.
      for (let turns = 0; turns < 20 || (requests > sim.held && turns < 500); turns++) await turn()
      if (isDone) return work
      await sim.clock.advance(STEP)
      mock.timers.tick(STEP)
    }
    throw new Error(`The work has not ended after ${limit / 60_000} minutes on the clock.`)
  }
}
