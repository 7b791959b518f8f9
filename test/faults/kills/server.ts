import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { end, failure, keep } from '../../bench/children.js'
import { CLI } from '../../bench/distribution.js'
import { eventually } from '../check.js'

const PATIENCE_SECONDS = 20

/** How to start a server. */
export interface ServerOptions {
  /** The path of Node; that of this process by default. */
  readonly node?: string
  /** Options of Node. */
  readonly nodeOptions?: readonly string[]
  /** Arguments of tasksim. */
  readonly args: readonly string[]
  readonly port: number
  readonly env?: Readonly<Record<string, string>>
}

/** The server as users start it, until it is killed. */
export class Server {
  readonly child: ChildProcess
  #output = ''

  private constructor(child: ChildProcess) {
    this.child = child
    const collect = (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString()).slice(-4_000)
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
  }

  /** Resolves when the server listens and leads its ledger. */
  static async start({
    node = process.execPath,
    nodeOptions = [],
    args,
    port,
    env,
  }: ServerOptions): Promise<Server> {
    const child = keep(
      spawn(node, [...nodeOptions, fileURLToPath(CLI), ...args, '--port', String(port)], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, ...env },
      }),
    )
    const server = new Server(child)
    const [failed, ignore] = failure(child, 'The start of tasksim', PATIENCE_SECONDS)
    try {
      await Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, 'data'), failed])
    } catch (error) {
      throw new Error(`${(error as Error).message} It printed: ${server.output}`)
    } finally {
      ignore()
    }
    await eventually('the server leads its ledger', () => isReady(port))
    return server
  }

  /** The end of what the server has printed. */
  get output(): string {
    return this.#output
  }

  /** Ends the process at once, as `kill -9` does. */
  kill(): Promise<void> {
    return end(this.child)
  }

  /** Resolves when the process has ended, however that came about. */
  async ended(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit')
  }

  /** Asks the process to end, and waits for that. */
  async stop(): Promise<void> {
    this.child.kill('SIGTERM')
    await this.ended()
  }
}

async function isReady(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/_sim/ready`)
    await response.arrayBuffer()
    return response.ok
  } catch {
    return false
  }
}
