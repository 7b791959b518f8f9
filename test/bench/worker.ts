import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { end, failure, launch } from '../support/processes.js'

const PATIENCE_SECONDS = 90

/** The answer of a {@link Worker}: a value or an error. */
type Answer = { readonly value: unknown } | { readonly error: string }

/** A module in a separate process, with its own heap and its own compiled code. */
export class Worker {
  readonly #child
  readonly #name: string

  /** @param flags of Node, in addition to the one that loads TypeScript */
  constructor(file: URL, args: readonly string[] = [], flags: readonly string[] = []) {
    this.#name = [file.pathname.split('/').slice(-2).join('/'), ...args].join(' ')
    const script = ['--import', import.meta.resolve('tsx'), ...flags, fileURLToPath(file), ...args]
    this.#child = launch(process.execPath, script, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  }

  /** Sends a question and waits for its answer. */
  async ask<Value>(question: string): Promise<Value> {
    const [failed, ignore] = failure(this.#child, `${this.#name}, asked for ${question},`, PATIENCE_SECONDS)
    try {
      const answered = once(this.#child, 'message')
      this.#child.send(question)
      const [answer] = (await Promise.race([answered, failed])) as [Answer]
      if ('error' in answer) throw new Error(`${this.#name} failed: ${answer.error}`)
      return answer.value as Value
    } finally {
      ignore()
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  end(): Promise<void> {
    return end(this.#child)
  }
}

/** The child's side of a {@link Worker}: answers the questions of its parent, and ends with it. */
export function answerParent(answers: Record<string, () => unknown>): void {
  process.on('disconnect', () => process.exit())
  process.on('message', async (question: string) => {
    const answer = await attempt(answers[question])
    process.send?.(answer)
  })
}

async function attempt(find: (() => unknown) | undefined): Promise<Answer> {
  try {
    if (find === undefined) throw new Error('there is no answer to this question')
    return { value: await find() }
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
