import { setupServer } from 'msw/node'
import { handlers } from '../../../src/hosts/msw/index.js'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../../src/index.js'
import { headersFor, SERVICES, type Service } from '../../support/services.js'

const MAIN: Service = {
  origin: 'https://api.example.com',
  create: '/api/v1/tasks',
  body: { model: 'acme/image-1', input: { prompt: 'a lighthouse' } },
  hook: 'webhook_url',
  task: (id) => `/api/v1/tasks/${id}`,
  interval: 2,
}

/** The services of all built-in dialects, by name. */
export const ALL_SERVICES: Readonly<Record<string, Service>> = { tasks: MAIN, ...SERVICES }

/** A simulator, and a client of one service. */
export class Bench {
  readonly sim: Simulator
  readonly #service: Service
  readonly #server: ReturnType<typeof setupServer>

  constructor(dialect: string, options: SimulatorOptions) {
    this.sim = createSimulator({ clock: 'manual', seed: 7, ...options })
    this.#service = ALL_SERVICES[dialect] ?? MAIN
    this.#server = setupServer(
      ...handlers(this.sim, dialect === 'tasks' ? { baseUrl: `${MAIN.origin}/api/v1` } : { dialect }),
    )
    this.#server.listen({ onUnhandledRequest: 'error' })
  }

  /** Sends a request to the service, and ignores a lost answer. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<void> {
    const { origin } = this.#service
    const kept = Object.entries({ ...headersFor(this.#service), ...headers }).filter(
      ([, value]) => value !== '',
    )
    const response = await fetch(path.startsWith('http') ? path : origin + path, {
      method,
      headers: Object.fromEntries(kept),
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }).catch(() => undefined)
    await response?.text().catch(() => undefined)
  }

  /** Creates a task, and returns its id in the simulator. */
  async create(more: object = {}, headers: Record<string, string> = {}): Promise<string> {
    const { create, body } = this.#service
    await this.send('POST', create, { ...body, ...more }, headers)
    return (await this.sim.control.tasks.list({ limit: 1 })).data[0]?.id ?? ''
  }

  /** The test of the last request. */
  async testOfRequest(): Promise<string> {
    const [entry] = (await this.sim.control.journal.list({ type: 'request', limit: 1 })).data
    return this.sim.control.journal.test(entry?.type === 'request' ? entry.id : '')
  }

  close(): void {
    this.#server.close()
    this.sim.close()
  }
}

/** Opens a simulator with a client, and passes both to a function. */
export async function withBench<Value>(
  dialect: string,
  options: SimulatorOptions,
  use: (bench: Bench) => Promise<Value>,
): Promise<Value> {
  const bench = new Bench(dialect, options)
  try {
    await bench.sim.dialects.load(dialect)
    return await use(bench)
  } finally {
    bench.close()
  }
}
