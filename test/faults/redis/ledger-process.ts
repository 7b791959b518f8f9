import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { end, failure, launch, signal } from '../../support/processes.js'

/** What a process says about a commit. */
export interface CommitAnswer {
  /** Whether it was certain of its lead before. */
  readonly isLeading: boolean
  readonly isStored: boolean
}

/** A process of its own that leads a ledger, so that it can be suspended and killed. */
export class LedgerProcess {
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  /**
   * Resolves when the process leads.
   * @param env further environment variables
   */
  static async start(url: string, env: NodeJS.ProcessEnv = {}): Promise<LedgerProcess> {
    const script = fileURLToPath(new URL('./lead-ledger.ts', import.meta.url))
    const child = launch(process.execPath, ['--import', 'tsx', script, url], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, ...env },
    })
    const [failed, ignore] = failure(child, 'The start of a leader', 20)
    await Promise.race([once(child, 'message'), failed])
    ignore()
    return new LedgerProcess(child)
  }

  /** Commits the row of a task whose content is its number. */
  async commit(seq: number): Promise<CommitAnswer> {
    const answer = once(this.#child, 'message')
    this.#child.send(seq)
    const [message] = await answer
    return message
  }

  suspend(): void {
    signal(this.#child, 'SIGSTOP')
  }

  resume(): void {
    signal(this.#child, 'SIGCONT')
  }

  end(): Promise<void> {
    return end(this.#child)
  }
}
