import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { startTimer } from '../../engine/clock/system-clock.js'

/** How a command ended by itself. */
interface ProcessEnd {
  /** Null if a signal ended it. */
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
}

/** How long a process may take to end after SIGTERM, in milliseconds. */
const GRACE = 500
/** The end of the output that is kept, in characters. */
const KEPT = 200_000

/**
 * A command with all processes that it starts: they form a process group and end together. On Windows, which has no
 * groups, `taskkill` ends the tree of processes.
 */
export class ClientProcess {
  /** Resolves when the command has ended; rejects if it could not start. */
  readonly ended: Promise<ProcessEnd>
  readonly #child: ChildProcess
  /** Ends the group if tasksim ends before it. */
  readonly #onExit = () => this.#kill('SIGKILL')
  #stdout = ''
  #stderr = ''
  #printed = ''

  /** @param onOutput called with each piece of output */
  constructor(
    [program = '', ...args]: readonly string[],
    env: NodeJS.ProcessEnv,
    onOutput?: (piece: string) => void,
  ) {
    const child = spawn(program, args, {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    })
    this.#child = child
    const keep = (piece: string) => {
      this.#printed = (this.#printed + piece).slice(-KEPT)
      onOutput?.(piece)
    }
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      this.#stdout = (this.#stdout + piece).slice(-KEPT)
      keep(piece)
    })
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      this.#stderr = (this.#stderr + piece).slice(-KEPT)
      keep(piece)
    })
    process.on('exit', this.#onExit)
    this.ended = new Promise((resolve, reject) => {
      child.once('error', (error) => {
        process.off('exit', this.#onExit)
        reject(error)
      })
      child.once('exit', (status, signal) => resolve({ status, signal }))
    })
  }

  /** The end of what it has printed to stdout. */
  get stdout(): string {
    return this.#stdout
  }

  /** The end of what it has printed to stderr. */
  get stderr(): string {
    return this.#stderr
  }

  /** The end of all that it has printed. */
  get printed(): string {
    return this.#printed
  }

  /** Ends what is left of the group, and waits for the output. */
  async end(): Promise<void> {
    this.#kill('SIGTERM')
    const hasClosed = await this.#closes(GRACE)
    this.#kill('SIGKILL')
    process.off('exit', this.#onExit)
    if (!hasClosed) await this.#closes(GRACE)
  }

  /** @returns whether its output ends within some milliseconds */
  #closes(within: number): Promise<boolean> {
    const { stdout, stderr } = this.#child
    if (stdout?.closed && stderr?.closed) return Promise.resolve(true)
    return new Promise((resolve) => {
      const stop = startTimer(within, () => resolve(false))
      this.#child.once('close', () => {
        stop()
        resolve(true)
      })
    })
  }

  #kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'])
      else process.kill(-pid, signal)
    } catch {
      // The group has ended.
    }
  }
}
