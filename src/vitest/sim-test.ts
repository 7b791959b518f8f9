import type { SetupServer } from 'msw/node'
import { test as base, type TestAPI } from 'vitest'
import { UsageError, whereMissing } from '../engine/errors.js'
import { checkOptionNames, type OptionNames } from '../engine/known-options.js'
import { createSimulator, type Simulator, type SimulatorOptions } from '../index.js'
import { SETTING_NAMES } from '../simulator-settings.js'

/** How each test gets its simulator; what `createSimulator` takes, on a manual clock unless given. */
export interface SimTestOptions extends SimulatorOptions {
  /** Where the code under test expects the API; any origin unless given. */
  readonly baseUrl?: string
  /**
   * What becomes of a request that neither the simulator nor a handler of the test's own answers: `error` (the
   * default) fails it, `warn` prints it, `bypass` lets it out to the network.
   */
  readonly onUnhandledRequest?: 'error' | 'warn' | 'bypass'
}

const OPTIONS: OptionNames<SimTestOptions> = {
  ...SETTING_NAMES,
  scenario: true,
  baseUrl: true,
  onUnhandledRequest: true,
}

/** What a test finds in its context. */
export interface SimFixtures {
  /** How the simulator is made; `test.extend({ simOptions: { ... } })` says otherwise. */
  simOptions: SimTestOptions
  /** A simulator of this test's own, on which all requests of the process to the API land. */
  sim: Simulator
  /** The MSW server in front of it, for further handlers: `server.use(...)`. */
  server: SetupServer
}

/**
 * Makes a `test` whose every test has a simulator of its own, wired by MSW, and closed when it ends.
 * @throws UsageError where an option is unknown
 * @example
 * const test = simTest({ scenario: 'flaky', baseUrl: 'https://api.example.com/api/v1' })
 * test('a video takes its time', async ({ sim }) => {
 *   const video = generateVideo('waves')
 *   await sim.clock.advance('2m')
 * })
 */
export function simTest(options: SimTestOptions = {}): TestAPI<SimFixtures> {
  checkOptionNames('simTest', options, OPTIONS)
  return base.extend<SimFixtures>({
    simOptions: options,
    sim: [
      async ({ simOptions }, use) => {
        checkOptionNames('simTest', simOptions, OPTIONS)
        const { baseUrl: _, onUnhandledRequest: __, ...settings } = simOptions
        const sim = createSimulator({ clock: 'manual', ...settings })
        await use(sim)
        sim.close()
      },
      { auto: true },
    ],
    server: [
      async ({ sim, simOptions }, use) => {
        const server = intercept(await loadMsw(), sim, simOptions)
        await use(server)
        server.close()
        isInUse = false
      },
      { auto: true },
    ],
  })
}

/** `fetch` is one for the whole process, so only one test at a time can have it. */
let isInUse = false

/** @throws UsageError with the command that installs MSW, where it is missing */
async function loadMsw() {
  const { setupServer } = await import('msw/node').catch(whereMissing('tasksim/vitest', 'msw'))
  const { handlers } = await import('../hosts/msw/handlers.js')
  return { setupServer, handlers }
}

function intercept(
  { setupServer, handlers }: Awaited<ReturnType<typeof loadMsw>>,
  sim: Simulator,
  { baseUrl, onUnhandledRequest = 'error' }: SimTestOptions,
): SetupServer {
  if (isInUse) {
    throw new UsageError(
      'Cannot wire a second simulator: another test of this file is still running. Tests with `sim` cannot run ' +
        'concurrently in one process; take away `.concurrent`, or put them in files of their own.',
    )
  }
  const server = setupServer(...handlers(sim, baseUrl === undefined ? {} : { baseUrl }))
  // The option as MSW 2 calls it, and as MSW 3 does, each of which knows one of them.
  const options = { onUnhandledRequest, onUnhandledFrame: onUnhandledRequest }
  server.listen(options)
  isInUse = true
  return server
}
