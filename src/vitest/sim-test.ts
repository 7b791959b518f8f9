import type { SetupServer } from 'msw/node'
import { test as base, type TestAPI, vi } from 'vitest'
import { checkOptionNames, type OptionNames, onMissingPackage, UsageError } from '../engine/errors.js'
import { isLoopbackName } from '../engine/loopback-name.js'
import type { Simulator } from '../library/build-simulator.js'
import { createSimulator, type SimulatorOptions } from '../library/create-simulator.js'
import { SETTING_NAMES } from '../simulator/settings.js'
import { interceptRequests } from './current-fetch.js'
import { EndlessLoop } from './endless-loop.js'
import { explainEscape } from './escaped-requests.js'
import { RealTimeWait } from './real-time-wait.js'
import { ClockTimers } from './timers/clock-timers.js'
import { describeUnhandled, explainUnhandled } from './unhandled-requests.js'
import { explainUnnamed } from './unnamed-receivers.js'

/** The options of the simulator of each test: those of `createSimulator`, with a manual clock by default. */
export interface SimTestOptions extends SimulatorOptions {
  /** The base URL of the API for the code under test; any origin by default. */
  readonly baseUrl?: string
  /** The dialect in which to answer, on the hosts that the service's own clients call. */
  readonly dialect?: string
  /**
   * `clock`: timers in the code under test, such as in the poll loop of a client, wait on the manual clock, which moves on
   * by itself as soon as that code only waits; `Date` shows the time of the clock. `real`: both are left alone. The default
   * is `clock` with a manual clock, otherwise `real`.
   */
  readonly timers?: 'clock' | 'real'
  /**
   * The action for requests without a handler: `error` fails them, `warn` prints a warning, `bypass` sends them to the
   * network. By default, requests to this machine, such as to a server of the test, are sent, and others fail.
   */
  readonly onUnhandledRequest?: 'error' | 'warn' | 'bypass'
}

const OPTIONS: OptionNames<SimTestOptions> = {
  ...SETTING_NAMES,
  scenario: true,
  baseUrl: true,
  dialect: true,
  timers: true,
  onUnhandledRequest: true,
}

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
  checkOptionNames('simTest', options, OPTIONS)
  return base.extend<SimFixtures>({
    simOptions: options,
    sim: [
      async ({ simOptions }, use) => {
        checkOptionNames('simTest', simOptions, OPTIONS)
        const { baseUrl: _, dialect: __, timers: ___, onUnhandledRequest: ____, ...settings } = simOptions
        const sim = createSimulator({ clock: 'manual', ...settings })
        await use(sim)
        sim.close()
      },
      { auto: true },
    ],
    server: [
      async ({ sim, simOptions, task }, use) => {
        const msw = await loadMsw()
        if (simOptions.dialect !== undefined) await sim.dialects.load(simOptions.dialect)
        const loop = new EndlessLoop(sim)
        const { server, timers, stop } = intercept(msw, sim, simOptions, loop)
        const wait = new RealTimeWait(sim, simOptions.timers === 'real')
        await use(server)
        timers?.stop()
        stop()
        isInUse = false
        try {
          loop.end(task)
          explainEscape(task, sim)
          explainUnnamed(task, sim)
        } finally {
          await wait.end(task)
        }
      },
      { auto: true },
    ],
  })
}

/** MSW replaces the `fetch` of the whole process, so only one test at a time can use it. */
let isInUse = false

/** @throws UsageError with the command that installs MSW, if it is missing */
async function loadMsw() {
  const { setupServer } = await import('msw/node').catch(onMissingPackage('tasksim/vitest', 'msw'))
  const [{ http, HttpResponse, passthrough }, { handlerOf }] = await Promise.all([
    import('msw'),
    import('../hosts/msw/handlers.js'),
  ])
  return {
    setupServer,
    handlerOf,
    contents: http.all(isContent, () => passthrough()),
    /** Requests to this machine, but not to the origin of the simulated API. */
    local: (origin: string | undefined) =>
      http.all(
        ({ request }) => {
          const url = new URL(request.url)
          return isLoopbackName(url.hostname) && url.origin !== origin
        },
        () => passthrough(),
      ),
    /** Webhooks that nobody receives: MSW would print each attempt. */
    webhooks: ({ webhooks: { log } }: Simulator) =>
      http.post(
        ({ request: { url } }) => [...log.pending()].some((delivery) => new URL(delivery.url).href === url),
        () => HttpResponse.error(),
      ),
  }
}

/** The URL of a request whose answer is in this process, such as one that tells a client which `Response` is in use. */
const isContent = ({ request }: { readonly request: Request }) => /^(?:data|blob):/.test(request.url)

interface Interception {
  readonly server: SetupServer
  readonly timers: ClockTimers | undefined
  /** Ends the interception of requests. */
  readonly stop: () => void
}

function intercept(
  { setupServer, handlerOf, contents, local, webhooks }: Awaited<ReturnType<typeof loadMsw>>,
  sim: Simulator,
  simOptions: SimTestOptions,
  loop: EndlessLoop,
): Interception {
  if (isInUse) {
    throw new UsageError(
      'Cannot start a second simulator: another test of this file is still running. Tests with `sim` cannot run ' +
        'concurrently in one process. Remove `.concurrent`, or move the tests to separate files.',
    )
  }
  // Before anything starts, because it may throw.
  // Timers belong to a test that has replaced them.
  const onClock = hasClockTimers(simOptions) && !vi.isFakeTimers()
  const { baseUrl, dialect, onUnhandledRequest = 'error' } = simOptions
  const isGiven = simOptions.onUnhandledRequest !== undefined
  const scope = { ...(baseUrl !== undefined && { baseUrl }), ...(dialect !== undefined && { dialect }) }
  const handler = handlerOf(sim, scope, (pending, request) => {
    const reply = loop.answer(pending)
    return timers?.trackReply(reply, request) ?? reply
  })
  const own = isGiven ? [] : [local(baseUrl && new URL(baseUrl).origin)]
  const rest = onUnhandledRequest === 'error' ? [webhooks(sim)] : []
  const server = setupServer(handler, contents, ...own, ...rest)
  // MSW 2 reads the first name, MSW 3 the second.
  const options = { onUnhandledRequest, onUnhandledFrame: onUnhandledRequest }
  const stop = interceptRequests(
    { listen: () => server.listen(options), close: () => server.close() },
    (error, method, url) =>
      explainUnhandled(error, method, url, (...request) => describeUnhandled(sim, scope, ...request)),
  )
  isInUse = true
  const timers = onClock ? new ClockTimers(sim) : undefined
  return { server, timers, stop }
}

/** @throws UsageError if timers cannot run on the clock */
function hasClockTimers({ clock = 'manual', timers }: SimTestOptions): boolean {
  if (clock === 'manual') return timers !== 'real'
  if (timers !== 'clock') return false
  throw new UsageError("`timers: 'clock'` needs a manual clock, got `clock: 'real'`. Remove one of them.")
}
