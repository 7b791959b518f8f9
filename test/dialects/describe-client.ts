import * as library from 'msw'
import { setupServer } from 'msw/node'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { listen } from '../../src/hosts/express/index.js'
import { handlerOf } from '../../src/hosts/msw/handlers.js'
import {
  type AnsweredRequest,
  createSimulator,
  type ScenarioInput,
  type Simulator,
  type SimulatorOptions,
} from '../../src/index.js'
import { ClockTimers } from '../../src/vitest/timers/clock-timers.js'
import { startRecorder } from '../cli/record/start-recorder.js'
import { isDeep, isOnAllHosts } from '../support/deep.js'
import { mirrorOf } from '../support/mirror-of.js'

/** A dialect, and where a client finds the service. */
export interface ServedDialect {
  readonly name: string
  /** The npm package of the client; the official client by default. */
  readonly client?: string
  /** The base URL of the real service, which is the client's default. */
  readonly baseUrl: string
  /** The path of the same base URL on a server of tasksim. */
  readonly path: string
}

/** A simulator that a client can reach, on either host. */
interface Service {
  readonly sim: Simulator
  /** The base URL for the client. */
  readonly baseUrl: string
  /** The requests that were answered so far. */
  readonly requests: AnsweredRequest[]
  /** Whether the client sees an error for a truncated body. MSW 3 ends it normally. */
  readonly breaksOff: boolean
  /** Whether a client that sends its requests to a proxy needs an API key of its own. */
  readonly needsKey: boolean
  /** The number of requests whose answer has not begun. */
  inFlight(): number
}

export type Open = (scenario?: ScenarioInput, options?: SimulatorOptions) => Promise<Service>

/** Notes that a request is in flight until it is answered. */
type Track = <Answer>(answer: Promise<Answer>) => Promise<Answer>

interface Host {
  readonly name: string
  readonly breaksOff: boolean
  readonly needsKey: boolean
  serve(
    sim: Simulator,
    dialect: ServedDialect,
    track: Track,
  ): Promise<{ baseUrl: string; close: () => unknown }>
}

const overHttp: Host = {
  name: 'over HTTP',
  breaksOff: true,
  needsKey: false,
  async serve(sim, { path }, track) {
    const { baseUrl, close } = await listen(sim, { port: 0 })
    const { fetch } = globalThis
    vi.stubGlobal('fetch', (...request: Parameters<typeof fetch>) => track(fetch(...request)))
    onTestFinished(() => void vi.unstubAllGlobals())
    return { baseUrl: new URL(baseUrl).origin + path, close }
  },
}

/** The client calls `tasksim record`, which passes its requests on. */
const recorded: Host = {
  name: 'through a recorder',
  breaksOff: true,
  needsKey: true,
  async serve(sim, dialect, track) {
    const { baseUrl, close } = await overHttp.serve(sim, dialect, track)
    const { name, path } = dialect
    const { origin } = await startRecorder(
      name,
      name === 'tasks' ? baseUrl : new URL(`/${name}`, baseUrl).href,
    )
    return { baseUrl: origin + path, close }
  },
}

/** Closes the server in process that was opened last. */
let closeLast = (): void => {}

/** The client calls its default base URL, and MSW intercepts the requests. */
const inProcess: Host = {
  name: 'in process',
  breaksOff: 'handleRequest' in library,
  needsKey: true,
  async serve(sim, { name, baseUrl }, track) {
    // MSW 2.12 cannot intercept for two servers at once, and a test that opens another service needs the first no more.
    closeLast()
    const server = setupServer(handlerOf(sim, { dialect: name }, track))
    closeLast = () => {
      closeLast = () => {}
      server.close()
    }
    const close = closeLast
    const mirror = isDeep ? await mirrorOf(sim, server, name) : undefined
    server.listen({ onUnhandledRequest: rejectUnlessLocal })
    return {
      baseUrl,
      async close() {
        if (closeLast === close) close()
        await mirror?.expectNoMoreFindings()
      },
    }
  },
}

/** Webhooks go to receivers on this machine; nothing else may leave the process. */
function rejectUnlessLocal({ url }: Request, print: { error(): void }): void {
  const { hostname, protocol } = new URL(url)
  if (hostname !== '127.0.0.1' && protocol !== 'data:') print.error()
}

/**
 * Runs the same tests with a client in process and, except in `npm test`, over HTTP and through a recorder. Tasks take
 * ten seconds by default.
 */
export function describeClient(dialect: ServedDialect, tests: (open: Open) => void): void {
  const { name, client = `the official client of ${name}` } = dialect
  describe.each(isOnAllHosts ? [inProcess, overHttp, recorded] : [inProcess])(`${client} $name`, (host) =>
    tests((scenario, options) => open(host, dialect, scenario, options)),
  )
}

async function open(
  host: Host,
  dialect: ServedDialect,
  scenario?: ScenarioInput,
  options?: SimulatorOptions,
) {
  const sim = createSimulator({
    clock: 'manual',
    scenario: { ...scenario, defaults: { delay: '10s', ...scenario?.defaults } },
    ...options,
  })
  const [requests, errors]: [AnsweredRequest[], unknown[]] = [[], []]
  sim.on('request.answered', (request) => void requests.push(request))
  sim.on('error', (error) => errors.push(error))
  await sim.dialects.load(dialect.name)
  const timers = new ClockTimers(sim)
  let inFlight = 0
  const track: Track = (answer) => {
    inFlight += 1
    return timers.track(answer).finally(() => {
      inFlight -= 1
    })
  }
  const { baseUrl, close } = await host.serve(sim, dialect, track)
  onTestFinished(async () => {
    timers.stop()
    await close()
    sim.close()
    expect(errors).toEqual([])
  })
  return {
    sim,
    baseUrl,
    requests,
    breaksOff: host.breaksOff,
    needsKey: host.needsKey,
    inFlight: () => inFlight,
  }
}

/** Downloads a file as a user does, and returns its first bytes as text. */
export async function download(url: string | undefined, length = 12): Promise<string> {
  const response = await fetch(String(url))
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer()).toString('latin1', 0, length)
}
