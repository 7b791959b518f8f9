import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))
const READY = /http:\/\/127\.0\.0\.1:(\d+)\/api\/v1/

/** A real server on a manual clock, with the page under test as its client. */
export class Server {
  readonly url: string
  readonly #port: string
  #child: ChildProcess

  private constructor(child: ChildProcess, port: string) {
    this.#child = child
    this.#port = port
    this.url = `http://127.0.0.1:${port}`
  }

  static async start(): Promise<Server> {
    const { child, port } = await serve('0')
    return new Server(child, port)
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }

  /** Restarts it without any data, at the same address. */
  async restart(): Promise<void> {
    this.#child = (await serve(this.#port)).child
  }

  async get<Answer>(path: string): Promise<Answer> {
    const response = await fetch(this.url + path, { headers: { authorization: 'Bearer sk_live_local' } })
    return (await response.json()) as Answer
  }

  post<Answer>(path: string, body: object = {}, key = 'sk_live_local'): Promise<Answer> {
    return this.#send('POST', path, body, key)
  }

  put<Answer>(path: string, body: object): Promise<Answer> {
    return this.#send('PUT', path, body, 'sk_live_local')
  }

  async #send<Answer>(method: string, path: string, body: object, key: string): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer: unknown = await response.json()
    if (!response.ok)
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

async function serve(port: string): Promise<{ child: ChildProcess; port: string }> {
  const child = spawn(process.execPath, [MAIN, '--port', port, '--clock', 'manual'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const found = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      const [, port] = READY.exec(text) ?? []
      if (port !== undefined) resolve(port)
    })
    child.once('exit', (status) => reject(new Error(`The server ended with ${status} before it was ready.`)))
  })
  // Discards the output, because a full pipe would block the server.
  child.stdout.removeAllListeners('data').resume()
  return { child, port: found }
}
