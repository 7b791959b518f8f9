import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { end, keep } from '../../bench/children.js'
import { CLI } from '../../bench/distribution.js'
import { eventually } from '../check.js'
import { freePort } from '../free-port.js'

/** How long a server may take to restore its state beside other load, in milliseconds. */
const PATIENCE = 30_000
const HEADERS = { authorization: 'Bearer sk-local', 'content-type': 'application/json' }

/** A server of the compiled command line, which leads a ledger or stands by. */
export class ServerProcess {
  readonly port: number
  readonly #child: ChildProcess
  #output = ''

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.port = port
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text) => {
        this.#output += text
      })
  }

  /** Resolves when the server answers requests, as a leader or as a standby. */
  static async start(ledger: string, ...args: string[]): Promise<ServerProcess> {
    const port = await freePort()
    const all = [fileURLToPath(CLI), 'instant', '--port', String(port), '--ledger', ledger, ...args]
    const child = keep(spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'pipe'] }))
    const server = new ServerProcess(child, port)
    const runs = async () => {
      if (child.exitCode !== null) throw new Error(`The server has ended: ${server.output}`)
      return (await server.status('/_sim/health')) === 200
    }
    await eventually('the server runs', runs, PATIENCE)
    return server
  }

  /** What the server has printed. */
  get output(): string {
    return this.#output
  }

  /** Whether the server leads its ledger. */
  async isReady(): Promise<boolean> {
    return (await this.status('/_sim/ready')) === 200
  }

  /** Sends a GET request. @returns 0 if the server does not answer */
  async status(path: string): Promise<number> {
    const response = await this.fetch(path).catch(() => undefined)
    await response?.arrayBuffer().catch(() => undefined)
    return response?.status ?? 0
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const signal = AbortSignal.timeout(8_000)
    return fetch(`http://127.0.0.1:${this.port}${path}`, { headers: HEADERS, signal, ...init })
  }

  /** Creates a task. @returns its id, or undefined if the server did not confirm it */
  async createTask(prompt: string): Promise<string | undefined> {
    const body = JSON.stringify({ model: 'acme/image-1', input: { prompt } })
    const response = await this.fetch('/api/v1/tasks', { method: 'POST', body }).catch(() => undefined)
    const answer: unknown = await response?.json().catch(() => undefined)
    if (response?.status !== 200) return undefined
    const { id } = Object(answer) as { id?: unknown }
    return typeof id === 'string' ? id : undefined
  }

  /** The ids of those tasks that the server does not have. */
  async missing(ids: readonly string[]): Promise<string[]> {
    const missing: string[] = []
    for (const id of ids) if ((await this.status(`/api/v1/tasks/${id}`)) !== 200) missing.push(id)
    return missing
  }

  suspend(): void {
    this.#child.kill('SIGSTOP')
  }

  resume(): void {
    this.#child.kill('SIGCONT')
  }

  /** Stops the server with a signal that it handles. */
  async stop(): Promise<void> {
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await gone
  }

  /** Ends the process without a warning. */
  kill(): Promise<void> {
    return end(this.#child)
  }
}
