import type { ChildProcess } from 'node:child_process'
import { type EventEmitter, once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { end, ended, failure, launch, signal } from './processes.js'

const DISTRIBUTION = new URL('../../dist/', import.meta.url)

/** The path of the compiled command line, which starts without a TypeScript loader. */
export const CLI = fileURLToPath(new URL('cli/main.js', DISTRIBUTION))

/** The URL of a compiled file, from its path below `dist`. */
export function compiled(path: string): string {
  return new URL(path, DISTRIBUTION).href
}

/** @throws Error if the package is not compiled */
export function requireDistribution(): void {
  if (existsSync(CLI)) return
  throw new Error('Failed to find dist/: this runs the compiled package. Run `npm run build` first.')
}

/** How to start a server. */
export interface ServerOptions {
  /** The program and its first arguments; by default, the compiled command line on this Node. */
  readonly command?: readonly [program: string, ...args: string[]]
  /** The port; by default, the server picks one. */
  readonly port?: number
  readonly cwd?: string
  /** The whole environment; that of this process by default. */
  readonly env?: NodeJS.ProcessEnv
}

/** How long a server may take to start beside other load. */
const PATIENCE_SECONDS = 30
/** The characters of the output to keep. */
const TAIL = 20_000
const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }

/** A server in a process of its own, as users start it. */
export class Server {
  /** The end of what the server has printed since its start. */
  output = ''
  #port: number
  #child: ChildProcess | undefined
  readonly #args: readonly string[]
  readonly #options: ServerOptions

  private constructor(args: readonly string[], options: ServerOptions) {
    this.#args = args
    this.#options = options
    this.#port = options.port ?? 0
  }

  /**
   * Starts a server. Resolves when it listens, as a leader or as a standby.
   * @param args the arguments of tasksim, without the port
   */
  static async start(args: readonly string[] = [], options: ServerOptions = {}): Promise<Server> {
    const server = new Server(args, options)
    await server.restart()
    return server
  }

  /** Starts the server again, at the same address. */
  async restart(): Promise<void> {
    const { command = [process.execPath, CLI], cwd, env } = this.#options
    const [program, ...first] = command
    const child = launch(program, [...first, ...this.#args, '--port', String(this.#port)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd !== undefined && { cwd }),
      ...(env !== undefined && { env }),
    })
    this.#child = child
    this.output = ''
    const [failed, ignore] = failure(child, 'The start of tasksim', PATIENCE_SECONDS)
    // A pipe that nobody reads would block the server.
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (piece) => {
        this.output = (this.output + piece).slice(-TAIL)
      })
    const listening = async () => {
      for (;;) {
        const [, port] = /http:\/\/[\w.]+:(\d+)\b/.exec(this.output) ?? []
        if (port !== undefined) return Number(port)
        await once(child.stdout as EventEmitter, 'data')
      }
    }
    try {
      this.#port = await Promise.race([listening(), failed])
    } catch (error) {
      await this.kill()
      throw new Error(`${(error as Error).message} It printed: ${this.output}`)
    } finally {
      ignore()
    }
  }

  get port(): number {
    return this.#port
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Sends a request with an API key. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.origin + path, { headers: HEADERS, ...init })
  }

  /** The status of the answer to a GET request; 0 if the server does not answer. */
  async status(path: string): Promise<number> {
    const response = await this.fetch(path, { signal: AbortSignal.timeout(8_000) }).catch(() => undefined)
    await response?.arrayBuffer().catch(() => undefined)
    return response?.status ?? 0
  }

  /** Whether the server is ready: with a ledger, whether it leads. */
  async isReady(): Promise<boolean> {
    return (await this.status('/_sim/ready')) === 200
  }

  /** Asks the server to shut down. @returns its exit status; null if a signal has ended it */
  stop(): Promise<number | null> {
    this.#signal('SIGTERM')
    return this.ended()
  }

  /** Ends the server at once, as `kill -9` does. */
  async kill(): Promise<void> {
    if (this.#child !== undefined) await end(this.#child)
  }

  /** Resolves to the exit status when the process has ended, however that came about. */
  async ended(): Promise<number | null> {
    return this.#child === undefined ? null : ended(this.#child)
  }

  /** Stops the process without ending it, as a busy machine does. */
  suspend(): void {
    this.#signal('SIGSTOP')
  }

  resume(): void {
    this.#signal('SIGCONT')
  }

  #signal(name: NodeJS.Signals): void {
    if (this.#child !== undefined) signal(this.#child, name)
  }
}
