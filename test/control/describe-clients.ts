import { setupServer } from 'msw/node'
import { describe, expect, onTestFinished } from 'vitest'
import { type Control, ControlError, connect } from '../../src/client/index.js'
import { listen } from '../../src/hosts/express/index.js'
import { handlers } from '../../src/hosts/msw/index.js'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/index.js'
import { hostsFor } from '../support/deep.js'
import { json } from '../support/json.js'

interface Way {
  readonly name: string
  open(sim: Simulator): Promise<{ control: Control; origin: string; close(): Promise<void> | void }>
}

/** A server at a real address, with a client that uses fetch. */
const remote: Way = {
  name: 'remote',
  async open(sim) {
    const { baseUrl, close } = await listen(sim, { port: 0 })
    return { control: connect(baseUrl), origin: new URL(baseUrl).origin, close }
  },
}

/** A client whose requests MSW answers. */
const msw: Way = {
  name: 'msw',
  open: async (sim) => ({ ...intercept(sim), control: connect('https://api.example.com') }),
}

/** A client without a host. MSW answers the clients of the service. */
const inProcess: Way = {
  name: 'in process',
  open: async (sim) => ({ ...intercept(sim), control: sim.control }),
}

function intercept(sim: Simulator): { origin: string; close(): void } {
  const server = setupServer(...handlers(sim))
  server.listen({ onUnhandledRequest: 'bypass' })
  return { origin: 'https://api.example.com', close: () => server.close() }
}

/** A simulator, its control client, and clients of the simulated service. */
export interface Bench {
  readonly sim: Simulator
  readonly control: Control
  readonly origin: string
  /** Creates a task with an API key, and returns its id. */
  order(body?: object, key?: string): Promise<string>
  /** Returns the answer of the service to a GET. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any part of the answer
  get(path: string, key?: string): Promise<any>
}

export type Open = (options?: SimulatorOptions) => Promise<Bench>

/** Runs the same tests of the control API over the network, through MSW and in process; `npm test` selects one of these. */
export function describeClients(title: string, tests: (open: Open, way: string) => void): void {
  for (const way of hostsFor(title, [remote, inProcess, msw])) {
    describe(`${title} (${way.name})`, () => tests((options) => open(way, options), way.name))
  }
}

async function open(way: Way, options: SimulatorOptions = {}): Promise<Bench> {
  const sim = createSimulator({ clock: 'manual', ...options })
  const errors: unknown[] = []
  sim.on('error', (error) => errors.push(error))
  const { control, origin, close } = await way.open(sim)
  onTestFinished(async () => {
    sim.close()
    await close()
    expect(errors).toEqual([])
  })
  const headersOf = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })
  return {
    sim,
    control,
    origin,
    async order(body = IMAGE, key = KEY) {
      const response = await fetch(`${origin}/api/v1/tasks`, {
        method: 'POST',
        headers: headersOf(key),
        body: JSON.stringify(body),
      })
      const { id } = await json(response)
      return id
    },
    get: (path, key = KEY) => json(fetch(origin + path, { headers: headersOf(key) })),
  }
}

/** Returns the error that rejects a control API promise. */
export async function refusal(call: Promise<unknown>): Promise<ControlError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof ControlError) return error
  throw new Error(`Expected a refusal, got ${error}`)
}

/** Returns the status and the code of the error that rejects a control API promise. */
export async function code(call: Promise<unknown>): Promise<string> {
  const { status, code } = await refusal(call)
  return `${status} ${code}`
}

/** Returns the first item of a list, which must not be empty. */
export function first<Item>(items: readonly Item[]): Item {
  const [item] = items
  if (item === undefined) throw new Error('The list is empty')
  return item
}

export const KEY = 'sk_live_local'
export const START = '2026-01-01T00:00:00.000Z'
export const IMAGE = { model: 'acme/image-1', input: { prompt: 'a lighthouse at dawn' } }
export const VIDEO = { model: 'acme/video-1', input: { prompt: 'waves', duration: 8 } }
/** Tasks that succeed after a second. */
export const QUICK = { defaults: { delay: '1s' } } as const
