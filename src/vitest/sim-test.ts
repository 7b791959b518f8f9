import type { SetupServer } from 'msw/node'
import { test as base, type TestAPI } from 'vitest'
import { checkOptionNames } from '../engine/errors.js'
import type { Simulator } from '../library/build-simulator.js'
import { EndlessLoop } from './endless-loop.js'
import { explainEscape, explainUnnamed } from './explain-errors.js'
import { RealTimeWait } from './real-time-wait.js'
import { openWorld, SIM_TEST_OPTIONS, type SimTestOptions, type World } from './world.js'

/** The fixtures in the context of each test. */
export interface SimFixtures {
  /** The options of the simulator. Override them with `test.extend({ simOptions: { ... } })`. */
  simOptions: SimTestOptions
  /** The simulator of this test. It answers all requests of the process to the API. */
  sim: Simulator
  /** The MSW server of the simulator. Add handlers with `server.use(...)`. */
  server: SetupServer
}

/**
 * Creates a `test` with a separate simulator for each test. MSW intercepts the requests; the simulator is closed
 * after the test.
 * @throws UsageError if an option is unknown
 * @example
 * const test = simTest({ scenario: 'flaky', baseUrl: 'https://api.example.com/api/v1' })
 * test('a slow video is polled until it succeeds', async ({ sim }) => {
 *   expect(await generateVideo('waves')).toMatch(/^https:/)
 *   expect(sim).toHaveSucceeded()
 * })
 */
export function simTest(options: SimTestOptions = {}): TestAPI<SimFixtures> {
  checkOptionNames('simTest', options, SIM_TEST_OPTIONS)
  return base.extend<SimFixtures & { world: World }>({
    simOptions: options,
    world: [
      async ({ simOptions, task }, use) => {
        checkOptionNames('simTest', simOptions, SIM_TEST_OPTIONS)
        const world = await openWorld(simOptions, (sim) => new EndlessLoop(sim))
        const { sim, watcher: loop } = world
        const wait = new RealTimeWait(sim, simOptions.timers === 'real')
        await use(world)
        world.release()
        try {
          loop.end(task)
          explainEscape(task, sim)
          explainUnnamed(task, sim)
        } finally {
          await wait.end(task)
          sim.close()
        }
      },
      { auto: true },
    ],
    sim: ({ world }, use) => use(world.sim),
    server: ({ world }, use) => use(world.server),
  })
}
