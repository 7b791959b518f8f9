import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Connection, persistently, RequestError, send } from './request.js'

/** A task, as the service shows it. */
export interface Task {
  readonly id: string
  readonly model: string
  readonly status: 'queued' | 'processing' | 'succeeded' | 'failed' | 'canceled'
  readonly input: Readonly<Record<string, unknown>>
  readonly output?: { readonly images?: readonly string[]; readonly video?: string }
  readonly error?: { readonly code?: string; readonly message: string }
}

/** What to make, and who is told when it is made. */
export interface Order {
  readonly model: string
  readonly input: Readonly<Record<string, unknown>>
  readonly webhook_url?: string
}

const BETWEEN_POLLS = 3_000
const LONGEST_WAIT = 600_000

/** Creates tasks and waits for them. */
export class Client {
  readonly #connection: Connection
  /** The tasks that this client has made; one that it does not know is one whose answer was lost. */
  readonly #known = new Set<string>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Creates a task; one only, also where the answer is lost. */
  async create(order: Order): Promise<Task> {
    let uncertain = false
    return persistently(this.#connection, async () => {
      try {
        const found = uncertain ? await this.#find(order) : undefined
        const task = found ?? (await send<Task>(this.#connection, '/tasks', order))
        this.#known.add(task.id)
        return task
      } catch (error) {
        uncertain ||= error instanceof RequestError && error.isUncertain
        throw error
      }
    })
  }

  /** Gives a task as it is now. */
  retrieve(id: string): Promise<Task> {
    return persistently(this.#connection, () => send<Task>(this.#connection, `/tasks/${id}`))
  }

  /**
   * Polls a task until it has succeeded.
   * @throws where it fails or is canceled, or is not done in time; then it is canceled
   */
  async finished(id: string, patience = LONGEST_WAIT): Promise<Task> {
    const { wait = sleep } = this.#connection
    for (let waited = 0; waited < patience; waited += BETWEEN_POLLS) {
      const task = await this.retrieve(id)
      if (task.status === 'succeeded') return task
      if (task.status === 'failed' || task.status === 'canceled')
        throw new Error(`${id} ${task.status}: ${task.error?.message ?? 'no reason given'}`)
      await wait(BETWEEN_POLLS)
    }
    await persistently(this.#connection, () => send(this.#connection, `/tasks/${id}/cancel`, {}))
    throw new Error(`${id} has not ended within ${patience / 1_000} seconds, and was canceled`)
  }

  /** The newest task that is like an order and that nobody here knows of. */
  async #find({ model, input }: Order): Promise<Task | undefined> {
    const { data } = await send<{ data: Task[] }>(this.#connection, '/tasks?limit=100')
    return data.find(
      (task) => !this.#known.has(task.id) && task.model === model && isDeepStrictEqual(task.input, input),
    )
  }
}
