import { Agent } from 'node:http'
import { type RawAnswer, send } from '../bench/request.js'

/** The key without faults, which measures the health of the server. */
export const CALM = 'sk_calm'
const KEYS = ['sk_soak_one', CALM, 'sk_soak_two', CALM, 'sk_soak_limited', CALM]

const MODELS = ['acme/image-1', 'acme/video-1', 'acme/speech-1', 'acme/upscaler-tool']
const PATIENCE = 5_000
const POLLS = 3

/** The mean number of requests per task, to reach a given request rate. */
export const REQUESTS_PER_LIFE = 1 + POLLS + 1 / 10 + 1 / 7 + 1 / 50

/** A task in the form of the API. */
interface Seen {
  readonly id?: unknown
  readonly status?: unknown
  readonly output?: Readonly<Record<string, unknown>> | null
}

/** Clients with several keys, over a bounded number of connections, that tolerate any answer. */
export class Clients {
  /** The tasks in answers to clients, by key. */
  readonly created = new Map<string, Set<string>>()
  /** The number of creates without an answer. */
  lost = 0
  sent = 0
  disturbed = 0
  /** The latencies of requests without faults since the last sample, in milliseconds. */
  latencies: number[] = []
  readonly #port: number
  /** Separate agents, so that a connection that hangs does not delay the health measurement. */
  readonly #agents = { calm: newAgent(), soak: newAgent() }

  constructor(port: number) {
    this.#port = port
  }

  /** Creates a task and uses it as a client would. */
  async live(number: number): Promise<void> {
    const key = KEYS[number % KEYS.length] ?? CALM
    const model = MODELS[number % MODELS.length]
    const body = JSON.stringify({ model, input: { prompt: `a lighthouse at dawn ${number}` } })
    const id = this.#remember(key, await this.#ask(key, 'POST', '/api/v1/tasks', body))
    if (id === undefined) return
    if (number % 7 === 0) await this.#ask(key, 'POST', `/api/v1/tasks/${id}/cancel`, '{}')
    if (number % 10 === 0) await this.#ask(key, 'GET', '/api/v1/tasks?limit=20')
    let last: Seen | undefined
    for (let poll = 0; poll < POLLS; poll++) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      last = seen(await this.#ask(key, 'GET', `/api/v1/tasks/${id}`))
    }
    if (number % 50 === 0) await this.#download(key, last)
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }

  async #download(key: string, task: Seen | undefined): Promise<void> {
    const url = Object.values(task?.output ?? {}).flat()[0]
    if (typeof url !== 'string' || !URL.canParse(url)) return
    const { pathname, search } = new URL(url)
    for (let time = 0; time < 3; time++) await this.#ask(key, 'GET', pathname + search)
  }

  #remember(key: string, answer: RawAnswer | undefined): string | undefined {
    const id = seen(answer)?.id
    if (typeof id === 'string') {
      this.created.set(key, (this.created.get(key) ?? new Set()).add(id))
      return id
    }
    // An expected rejection has created no task. Any other answer may have.
    if (answer?.status !== 429) this.lost += 1
    return undefined
  }

  async #ask(key: string, method: string, path: string, body?: string): Promise<RawAnswer | undefined> {
    const agent = key === CALM ? this.#agents.calm : this.#agents.soak
    const asked = { agent, port: this.#port, method, path, key, patience: PATIENCE, ...(body && { body }) }
    const begin = performance.now()
    this.sent += 1
    try {
      const answer = await send(asked)
      // Excludes files, which may need to be rendered first.
      if (key === CALM && path.startsWith('/api')) this.latencies.push(performance.now() - begin)
      return answer
    } catch {
      this.disturbed += 1
      return undefined
    }
  }
}

function newAgent(): Agent {
  return new Agent({ keepAlive: true, maxSockets: 64 })
}

function seen(answer: RawAnswer | undefined): Seen | undefined {
  try {
    return JSON.parse(answer?.text ?? '')
  } catch {
    return undefined
  }
}
