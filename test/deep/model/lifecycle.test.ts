import fc from 'fast-check'
import { afterEach, beforeEach, test, vi } from 'vitest'
import { runs } from '../../support/deep.js'
import { anySteps, anyStepsAndResets } from './commands.js'
import type { Reaction } from './receiver.js'
import { anyScenario } from './scenarios.js'
import { START, World } from './world.js'

beforeEach(() => {
  vi.useFakeTimers({ now: START, toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const PATIENCE = 60_000

const reactions = fc.array(fc.constantFrom<Reaction>(200, 204, 302, 410, 500, 503, 'error', 'silence'), {
  minLength: 1,
  maxLength: 7,
})

const keepTasks = fc.constantFrom(1, 2, 5, 100_000)

function lives(steps: typeof anySteps) {
  return fc.asyncProperty(
    anyScenario,
    reactions,
    keepTasks,
    steps,
    async (scenario, reactions, keepTasks, steps) => {
      const world = new World(scenario, reactions, keepTasks)
      try {
        await fc.asyncModelRun(() => ({ model: {}, real: world }), steps)
        await world.finish()
      } finally {
        world.sim.close()
      }
    },
  )
}

test(
  'any sequence of requests and clock changes keeps the task invariants and sends every webhook',
  async () => {
    await fc.assert(lives(anySteps), { numRuns: runs(4, 100) })
  },
  PATIENCE,
)

test(
  'a reset during any activity leaves nothing behind',
  async () => {
    await fc.assert(lives(anyStepsAndResets), { numRuns: runs(2, 40) })
  },
  PATIENCE,
)
