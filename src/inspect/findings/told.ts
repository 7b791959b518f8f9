import type { AnsweredRequest, RequestNote } from '../../engine/events.js'
import type { JsonValue } from '../../engine/json.js'

type Shown = NonNullable<RequestNote['shown']>[number]

/** What an answer told a client of a task. */
export interface Told {
  /** As the client read it: a fault may have put any word here. */
  readonly status: string
  /** False where a fault has touched the answer, so that a client may take it or leave it. */
  readonly isSure: boolean
}

/** True where a task in this state, as a client reads it, is over. */
export function isEnd({ status }: Told): boolean {
  return status !== 'queued' && status !== 'processing'
}

/** Reads an answer as the client got it: gives what it told of each task that it was to show. */
export function reader(request: AnsweredRequest): (shown: Shown) => Told | undefined {
  const { method, status, delivered, fault, note } = request
  if (method === 'HEAD' || !delivered) return () => undefined
  // A cancel that comes too late names the state that the task is in.
  if (status === 409 && fault === undefined) return (shown) => ({ status: shown.status, isSure: false })
  if (status < 200 || status >= 300) return () => undefined
  if (fault === undefined) return (shown) => ({ status: shown.status, isSure: true })
  if (note.responseBody === undefined) return (shown) => ({ status: shown.status, isSure: false })
  const body = parsed(note.responseBody)
  return (shown) => statusIn(body, shown.id)
}

function statusIn(body: JsonValue | undefined, id: string): Told | undefined {
  if (!isObject(body)) return undefined
  const { data } = body
  const task = Array.isArray(data) ? data.find((one) => isObject(one) && one['id'] === id) : body
  const status = isObject(task) ? task['status'] : undefined
  return typeof status === 'string' ? { status, isSure: false } : undefined
}

function isObject(value: JsonValue | undefined): value is { [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
