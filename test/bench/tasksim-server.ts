import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { end, failure, keep } from './children.js'
import { CLI } from './distribution.js'

const PATIENCE_SECONDS = 15

/** The server as users start it: the compiled command line, with its log in a pipe that this process reads. */
export class TasksimServer {
  readonly #child: ChildProcess
  readonly port: number

  private constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.port = port
  }

  /** Resolves when the server reports that it listens. */
  static start(...args: string[]): Promise<TasksimServer> {
    return TasksimServer.startWith(process.execPath, ...args)
  }

  /** Like {@link start}, with another Node. */
  static async startWith(node: string, ...args: string[]): Promise<TasksimServer> {
    const child = keep(
      spawn(node, [fileURLToPath(CLI), ...args, '--port', '0'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    )
    const [failed, ignore] = failure(child, 'The start of tasksim', PATIENCE_SECONDS)
    const [banner] = await Promise.race([once(child.stdout, 'data'), failed])
    ignore()
    const port = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(String(banner))?.[1]
    if (port === undefined) throw new Error(`Expected a URL on the first line, got: ${banner}`)
    child.stdout.resume()
    return new TasksimServer(child, Number(port))
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
