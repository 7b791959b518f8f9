import type { JsonObject, Status } from 'tasksim'
import { expectEqual } from '../../support/check.js'
import { BASE_URL } from './mocked-api.js'

/** A task in the form of the API. */
export interface ShownTask {
  readonly id: string
  readonly status: Status
  readonly cost_usd: number | null
  readonly output: {
    readonly images?: readonly string[]
    readonly video?: string
    readonly message?: { readonly role: string; readonly content: string }
    readonly usage?: { readonly input_tokens: number; readonly output_tokens: number }
  } | null
}

const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }

/** Creates a task. */
export function create(model: string, input: JsonObject, more: JsonObject = {}): Promise<ShownTask> {
  const body = JSON.stringify({ model, input, ...more })
  return taskIn(fetch(`${BASE_URL}/tasks`, { method: 'POST', headers: HEADERS, body }))
}

/** Retrieves a task, once. */
export function poll(id: string): Promise<ShownTask> {
  return taskIn(fetch(`${BASE_URL}/tasks/${id}`, { headers: HEADERS }))
}

/** Retrieves a task that must have succeeded. */
export async function pollSucceeded(id: string): Promise<ShownTask> {
  const task = await poll(id)
  expectEqual('the status', task.status, 'succeeded')
  return task
}

async function taskIn(answer: Promise<Response>): Promise<ShownTask> {
  const response = await answer
  expectEqual('the HTTP status', response.status, 200)
  return response.json() as Promise<ShownTask>
}
