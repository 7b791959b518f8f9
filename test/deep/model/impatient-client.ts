import { setImmediate } from 'node:timers/promises'
import { vi } from 'vitest'
import { answer } from '../../../src/hosts/api.js'
import type { Simulator } from '../../../src/index.js'

/** A request of a client. */
export interface Request {
  readonly key: string
  /** Method and path below the tasks, such as `GET /task_1`. */
  readonly line: string
  readonly body?: object
  /** The X-Sim header. */
  readonly directive?: string | undefined
}

/** The readable part of an answer; without a status if there was no answer. */
export interface PartialAnswer {
  readonly status: number | undefined
  readonly id: string | undefined
}

const NOTHING: PartialAnswer = { status: undefined, id: undefined }
const encoder = new TextEncoder()

// Longer than any patience of the simulator, in fake milliseconds.
const PATIENCE = 6

/** A client that gives up early and retries without a check for a lost answer. */
export class ImpatientClient {
  readonly #sim: Simulator
  readonly #open = new Set<Promise<PartialAnswer>>()
  /** The number of requests so far that create a task. */
  orders = 0

  constructor(sim: Simulator) {
    this.#sim = sim
  }

  /** Sends a request, and returns the part of the answer that arrives before the timeout. */
  async send(request: Request): Promise<PartialAnswer> {
    const answered = this.#answer(request)
    this.#open.add(answered)
    answered.finally(() => this.#open.delete(answered))
    let seen: PartialAnswer | undefined
    answered.then((value) => {
      seen = value
    })
    for (let turn = 0; turn < PATIENCE && seen === undefined; turn++) {
      await setImmediate()
      await vi.advanceTimersByTimeAsync(1)
    }
    return seen ?? NOTHING
  }

  /** Repeats a request until it is answered, up to a number of times. */
  async sendUntilAnswered(request: Request, times: number): Promise<PartialAnswer> {
    let seen = NOTHING
    for (let time = 0; time < times && (seen.status ?? 500) >= 429; time++) seen = await this.send(request)
    return seen
  }

  /** The number of requests in progress. */
  get open(): number {
    return this.#open.size
  }

  async #answer({ key, line, body, directive }: Request): Promise<PartialAnswer> {
    const [method = '', target = ''] = line.split(' ')
    const [path = '', query = ''] = target.split('?')
    const headers: Record<string, string | undefined> = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-sim': directive,
    }
    if (line === 'POST ') this.orders += 1
    const reply = await answer(this.#sim, {
      method,
      path: `/v1/tasks${path}`,
      query,
      origin: 'http://localhost',
      header: (name) => headers[name],
      body: async () => encoder.encode(JSON.stringify(body ?? {})),
    })
    return reply.transmission === undefined ? { status: reply.status, id: idIn(String(reply.body)) } : NOTHING
  }
}

function idIn(text: string): string | undefined {
  return /"id":"(task_\w{24})"/.exec(text)?.[1]
}
