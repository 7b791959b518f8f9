import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Connection, RequestError, send, withRetries } from './request.js'

/** A task in a response of the service. */
export interface Task {
  readonly id: string
  readonly model: string
  readonly status: 'queued' | 'processing' | 'succeeded' | 'failed' | 'canceled'
  readonly input: Readonly<Record<string, unknown>>
  readonly output?: { readonly images?: readonly string[]; readonly video?: string }
  readonly error?: { readonly code?: string; readonly message: string }
}

/** The body of a create request. */
export interface TaskRequest {
  readonly model: string
  readonly input: Readonly<Record<string, unknown>>
  readonly webhook_url?: string
}

const POLL_INTERVAL = 3_000
const TASK_TIMEOUT = 600_000

/** Creates tasks and waits for them. */
export class Client {
  readonly #connection: Connection
  /** The ids of tasks whose create response arrived. For other tasks in the list, the response was lost. */
  readonly #known = new Set<string>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Creates exactly one task, even if a response is lost. */
  async create(request: TaskRequest): Promise<Task> {
    let uncertain = false
    return withRetries(this.#connection, async () => {
      try {
        const found = uncertain ? await this.#find(request) : undefined
        const task = found ?? (await send<Task>(this.#connection, '/tasks', request))
        this.#known.add(task.id)
        return task
      } catch (error) {
        uncertain ||= error instanceof RequestError && error.isUncertain
        throw error
      }
    })
  }

  /** Returns the current state of a task. */
  retrieve(id: string): Promise<Task> {
    return withRetries(this.#connection, () => send<Task>(this.#connection, `/tasks/${id}`))
  }

  /**
   * Polls a task until it has succeeded. Cancels the task after a timeout.
   * @throws if the task fails, is canceled or times out
   */
  async waitFor(id: string, timeout = TASK_TIMEOUT): Promise<Task> {
    const { wait = sleep } = this.#connection
    for (let waited = 0; waited < timeout; waited += POLL_INTERVAL) {
      const task = await this.retrieve(id)
      if (task.status === 'succeeded') return task
      if (task.status === 'failed' || task.status === 'canceled')
        throw new Error(`${id} ${task.status}: ${task.error?.message ?? 'no reason given'}`)
      await wait(POLL_INTERVAL)
    }
    await withRetries(this.#connection, () => send(this.#connection, `/tasks/${id}/cancel`, {}))
    throw new Error(`${id} did not end within ${timeout / 1_000} seconds and was canceled`)
  }

  /** Finds the newest task with the same model and input whose create response was lost. */
  async #find({ model, input }: TaskRequest): Promise<Task | undefined> {
    const { data } = await send<{ data: Task[] }>(this.#connection, '/tasks?limit=100')
    return data.find(
      (task) => !this.#known.has(task.id) && task.model === model && isDeepStrictEqual(task.input, input),
    )
  }
}
