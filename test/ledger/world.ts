import { answer } from '../../src/hosts/api.js'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/index.js'
import { persist } from '../../src/ledger/attach.js'
import type { Row } from '../../src/ledger/ledger.js'
import { rowsOf } from '../../src/ledger/spaces.js'
import type { Simulator as BareSimulator } from '../../src/simulator/simulator.js'
import { MemoryLedger } from './memory-ledger.js'
import { restoreSimulator } from './restore-simulator.js'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A request of a client. The path starts with the name of a dialect, unless it is of the main one. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/**
 * What happens at a restart: nothing, with or without a ledger; the state is saved and restored; or the simulator ends
 * without a warning, and the next one continues from its ledger.
 */
export type Restarts = 'none' | 'none-with-ledger' | 'from-save' | 'from-ledger'

/** Creates a world. */
export async function openWorld(options: SimulatorOptions, restarts: Restarts): Promise<World> {
  const world = new World(options, restarts)
  if (restarts.endsWith('ledger')) await world.persist()
  return world
}

/** A simulator that can be restarted, with everything that leaves it. */
export class World {
  sim: Simulator
  /** The responses and the webhooks, in order. */
  readonly seen: unknown[] = []
  readonly #options: SimulatorOptions
  readonly #restarts: Restarts
  readonly #ledger = new MemoryLedger()

  /** Use {@link openWorld}. */
  constructor(options: SimulatorOptions, restarts: Restarts) {
    this.#restarts = restarts
    this.#options = {
      clock: 'manual',
      renderer: { render: async ({ id }, file) => encoder.encode(`file ${file} of ${id}`) },
      transport: async ({ url, headers, body }) => {
        const number = this.seen.push({ webhook: url, headers, body: decoder.decode(body) })
        return { status: url.includes('flaky') && number % 3 !== 0 ? 503 : 200 }
      },
      ...options,
    }
    this.sim = createSimulator(this.#options)
  }

  /** Sends a request. @returns the body of the response, parsed if it is JSON */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any part of the answer
  async send(sent: Sent): Promise<any> {
    const { method, path: target } = sent
    const reply = await this.#answer(sent)
    const text = await textOf(reply)
    this.seen.push({ method, target, status: reply.status, headers: reply.headers, text })
    try {
      return JSON.parse(text)
    } catch {
      return text
    }
  }

  #answer({ method, path: target, key = 'sk_one', headers = {}, body }: Sent) {
    const [path = '', query = ''] = target.split('?')
    const all: Record<string, string> = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...headers,
    }
    return answer(this.sim, {
      method,
      path,
      query,
      origin: 'http://localhost',
      header: (name) => all[name],
      headers: () => all,
      body: async () => (body instanceof Uint8Array ? body : encoder.encode(JSON.stringify(body ?? {}))),
    })
  }

  /** Ends the simulator, without a warning, and continues with a new one. */
  async restart(): Promise<void> {
    if (this.#restarts.startsWith('none')) return
    // The journal is stored at the end of the turn, without holding up the response, and an attempt that a receiver has
    // answered is recorded within the turn: otherwise, the next simulator would repeat it.
    await new Promise(setImmediate)
    if (this.#restarts === 'from-ledger') {
      this.sim.close()
      this.sim = createSimulator(this.#options)
      await this.persist()
      return
    }
    const rows = [...rowsOf(this.sim)].map(
      (row): Row => JSON.parse(JSON.stringify(row, bytesAsText), bytesFromText),
    )
    this.sim.close()
    this.sim = createSimulator(this.#options)
    await restoreSimulator(this.sim, rows)
  }

  /** The bytes that were written to the ledger. */
  get written(): number {
    return this.#ledger.written
  }

  /** Keeps the simulator in the ledger. */
  async persist(): Promise<void> {
    const onDeposed = () => {
      throw new Error('Nobody else leads')
    }
    await persist(this.sim, this.#ledger, this.#ledger.lead(), { defer: setImmediate, onDeposed })
  }

  /** What can be seen of the simulator, or of one of its sandboxes, in the end. */
  async state(sim: BareSimulator = this.sim): Promise<unknown> {
    const { spent } = sim.requestPolicy.accounts
    const journal = await this.#answer({
      method: 'GET',
      path: '/_sim/journal?limit=1000',
      key: sim.identity?.key,
    })
    return {
      journal: JSON.parse(await textOf(journal), withoutDurations),
      verdict: await sim.verdict(),
      now: sim.clock.now(),
      next: sim.clock.next,
      tasks: [...sim.tasks.all()],
      scenario: { ...sim.scenario, initial: sim.initialScenario.layer },
      spent: new Map([...spent.keys()].map((key) => [key, spent.peek(key)])),
      counts: { ...sim.counters, durations: sim.counters.durations.count },
    }
  }
}

async function textOf({ body, transmission }: Awaited<ReturnType<typeof answer>>): Promise<string> {
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return decoder.decode(body)
  if (transmission === undefined || !('pieces' in transmission)) return ''
  let text = ''
  for await (const piece of transmission.pieces) text += decoder.decode(piece)
  return text
}

const withoutDurations = (name: string, value: unknown) => (name === 'took_ms' ? undefined : value)

const bytesAsText = (_: string, value: unknown) =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value

const bytesFromText = (_: string, value: unknown) => {
  const { base64 } = Object(value) as { base64?: unknown }
  return typeof base64 === 'string' ? new Uint8Array(Buffer.from(base64, 'base64')) : value
}
