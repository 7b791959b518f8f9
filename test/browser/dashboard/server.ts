import { Server as ServerProcess } from '../../support/server.js'

/** A server on a manual clock, with the page under test as its client. */
export class Server {
  readonly url: string
  readonly #process: ServerProcess

  private constructor(process: ServerProcess) {
    this.#process = process
    this.url = process.origin
  }

  static async start(): Promise<Server> {
    return new Server(await ServerProcess.start(['--clock', 'manual']))
  }

  stop(): Promise<void> {
    return this.#process.kill()
  }

  /** Restarts it without any data, at the same address. */
  restart(): Promise<void> {
    return this.#process.restart()
  }

  get<Answer>(path: string): Promise<Answer> {
    return this.#send('GET', path)
  }

  post<Answer>(path: string, body: object = {}, key?: string): Promise<Answer> {
    return this.#send('POST', path, body, key)
  }

  put<Answer>(path: string, body: object): Promise<Answer> {
    return this.#send('PUT', path, body)
  }

  async #send<Answer>(method: string, path: string, body?: object, key = 'sk_live_local'): Promise<Answer> {
    const response = await this.#process.fetch(path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (!response.ok && method !== 'GET')
      throw new Error(`${method} ${path} was answered with ${response.status}: ${JSON.stringify(answer)}`)
    return answer as Answer
  }

  /** Creates a task, and returns its id. */
  async create(model: string, input: object, more: object = {}): Promise<string> {
    return (await this.post<{ id: string }>('/api/v1/tasks', { model, input, ...more })).id
  }

  advance(duration: string): Promise<unknown> {
    return this.post('/_sim/clock', { advance: duration })
  }
}
