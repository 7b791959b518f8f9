import type { SetupServer } from 'msw/node'
import { vi } from 'vitest'
import { type OptionNames, onMissingPackage, UsageError } from '../engine/errors.js'
import { isLoopbackName } from '../engine/loopback-name.js'
import type { Reply } from '../exchange/exchange.js'
import type { Simulator } from '../library/build-simulator.js'
import { createSimulator, type SimulatorOptions } from '../library/create-simulator.js'
import { SETTING_NAMES } from '../simulator/settings.js'
import { interceptRequests } from './current-fetch.js'
import { describeUnhandled, explainUnhandled } from './explain-errors.js'
import { ClockTimers, type Patience } from './timers/clock-timers.js'

/** The options of the simulator of each test: those of `createSimulator`, with a manual clock by default. */
export interface SimTestOptions extends SimulatorOptions {
  /** The base URL of the API for the code under test; any origin by default. */
  readonly baseUrl?: string
  /** The dialect in which to answer, on the hosts that the service's own clients call. */
  readonly dialect?: string
  /**
   * `clock`: timers in the code under test, such as in the poll loop of a client, wait on the manual clock, which
   * moves on by itself as soon as that code only waits; `Date` shows the time of the clock. `real`: both are left
   * alone. The default is `clock` with a manual clock, otherwise `real`.
   */
  readonly timers?: 'clock' | 'real'
  /**
   * The action for requests without a handler: `error` fails them, `warn` prints a warning, `bypass` sends them to the
   * network. By default, requests to this machine, such as to a server of the test, are sent, and others fail.
   */
  readonly onUnhandledRequest?: 'error' | 'warn' | 'bypass'
}

/** The names of the options. */
export const SIM_TEST_OPTIONS: OptionNames<SimTestOptions> = {
  ...SETTING_NAMES,
  scenario: true,
  baseUrl: true,
  dialect: true,
  timers: true,
  onUnhandledRequest: true,
}

/** Watches the client of a simulator. */
export interface Watcher {
  /** Receives each reply before the client gets it, and returns what the client gets. */
  answer(pending: Promise<Reply>): Promise<Reply>
  /** How long the client may only wait without a timer; for ever by default. */
  readonly patience?: Patience
}

/** A simulator that answers the requests of this process, and on whose clock the timers run. */
export interface World<W extends Watcher = Watcher> {
  readonly sim: Simulator
  readonly server: SetupServer
  readonly watcher: W
  /** Undefined if the timers are left alone. */
  readonly timers: ClockTimers | undefined
  /** Ends the interception of requests, and restores the timers. The simulator stays open. */
  release(): void
}

/** MSW replaces the `fetch` of the whole process, so only one simulator at a time can use it. */
let isInUse = false

/**
 * Creates a simulator that answers the requests of this process.
 * @param watch creates what watches the client
 * @throws UsageError if another one is open, MSW is missing, or an option has an unusable value
 */
export async function openWorld<W extends Watcher>(
  options: SimTestOptions,
  watch: (sim: Simulator) => W,
): Promise<World<W>> {
  const { baseUrl: _, dialect, timers: __, onUnhandledRequest: ___, ...settings } = options
  const sim = createSimulator({ clock: 'manual', ...settings })
  const msw = await loadMsw()
  if (dialect !== undefined) await sim.dialects.load(dialect)
  if (isInUse) {
    throw new UsageError(
      'Cannot start a second simulator: another test of this file is still running. Tests with `sim` cannot run ' +
        'concurrently in one process. Remove `.concurrent`, or move the tests to separate files.',
    )
  }
  // This may throw, so it comes before anything starts. A test with fake timers of its own keeps them.
  const onClock = hasClockTimers(options) && !vi.isFakeTimers()
  const watcher = watch(sim)
  const { server, stop } = intercept(msw, sim, options, (pending, request) => {
    const reply = watcher.answer(pending)
    return timers?.trackReply(reply, request) ?? reply
  })
  isInUse = true
  const timers = onClock ? new ClockTimers(sim, watcher.patience) : undefined
  const release = () => {
    timers?.stop()
    stop()
    isInUse = false
  }
  return { sim, server, watcher, timers, release }
}

/** @throws UsageError if timers cannot run on the clock */
function hasClockTimers({ clock = 'manual', timers }: SimTestOptions): boolean {
  if (clock === 'manual') return timers !== 'real'
  if (timers !== 'clock') return false
  throw new UsageError("`timers: 'clock'` needs a manual clock, got `clock: 'real'`. Remove one of them.")
}

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

function intercept(
  { setupServer, handlerOf, contents, local, webhooks }: Awaited<ReturnType<typeof loadMsw>>,
  sim: Simulator,
  options: SimTestOptions,
  track: NonNullable<Parameters<typeof handlerOf>[2]>,
): { readonly server: SetupServer; readonly stop: () => void } {
  const { baseUrl, dialect, onUnhandledRequest = 'error' } = options
  const scope = { ...(baseUrl !== undefined && { baseUrl }), ...(dialect !== undefined && { dialect }) }
  const handler = handlerOf(sim, scope, track)
  const own = options.onUnhandledRequest === undefined ? [local(baseUrl && new URL(baseUrl).origin)] : []
  const rest = onUnhandledRequest === 'error' ? [webhooks(sim)] : []
  const server = setupServer(handler, contents, ...own, ...rest)
  // MSW 2 reads the first name, MSW 3 the second.
  const unhandled = { onUnhandledRequest, onUnhandledFrame: onUnhandledRequest }
  const stop = interceptRequests(
    { listen: () => server.listen(unhandled), close: () => server.close() },
    (error, method, url) =>
      explainUnhandled(error, method, url, (...request) => describeUnhandled(sim, scope, ...request)),
  )
  return { server, stop }
}
