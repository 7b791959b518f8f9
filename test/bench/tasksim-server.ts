import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { end, failure, keep } from './children.js'
import { CLI } from './distribution.js'

/** How long a server may take to start, which includes the wait for the lead of its ledger. */
const PATIENCE_SECONDS = 30

/** The server as users start it: the compiled command line, with its log in a pipe that this process reads. */
export class TasksimServer {
  readonly #child: ChildProcess
  readonly port: number

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.port = port
  }

  /** Resolves when the server reports that it listens, and leads its ledger. */
  static start(...args: string[]): Promise<TasksimServer> {
    return TasksimServer.startWith(process.execPath, ...args)
  }

  /** Like {@link start}, with another Node. */
  static startWith(node: string, ...args: string[]): Promise<TasksimServer> {
    return TasksimServer.#start(node, {}, args)
  }

  /** Like {@link start}, with further variables in its environment. */
  static startIn(env: Readonly<Record<string, string>>, ...args: string[]): Promise<TasksimServer> {
    return TasksimServer.#start(process.execPath, env, args)
  }

  static async #start(node: string, env: object, args: readonly string[]): Promise<TasksimServer> {
    const child = keep(
      spawn(node, [fileURLToPath(CLI), ...args, '--port', '0'], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, ...env },
      }),
    )
    const [failed, ignore] = failure(child, 'The start of tasksim', PATIENCE_SECONDS)
    let printed = ''
    const listens = new Promise<number>((resolve) => {
      child.stdout.on('data', (text) => {
        printed = (printed + text).slice(-2_000)
        // A standby prints another URL before, which ends with a colon.
        const [, port] = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(printed) ?? []
        if (port !== undefined) resolve(Number(port))
      })
    })
    const port = await Promise.race([listens, failed]).catch((error) => {
      throw new Error(`${error.message} It printed: ${printed}`)
    })
    ignore()
    child.stdout.removeAllListeners('data')
    child.stdout.resume()
    return new TasksimServer(child, port)
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /**
   * Asks the server to shut down, and waits until it has exited.
   * @returns the duration in milliseconds
   */
  async stop(): Promise<number> {
    const begin = performance.now()
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await gone
    return Math.round(performance.now() - begin)
  }

  end(): Promise<void> {
    return end(this.#child)
  }
}
