import type { Scenario } from '../../scenario/model/scenario.js'
import type { JsonValue } from '../json.js'
import type { Task } from '../tasks/task.js'
import type { Attempt, Delivery } from '../webhooks/delivery.js'

// Estimates of what V8 allocates, measured on 64-bit Node; large values count, small ones are lost in the noise.
const TEXT_HEADER = 24
const SLOT = 8
const OBJECT = 56
const PROPERTY = 24
/** A task with its place in the store, its timer and its journal entries. */
const TASK = 1_000
const DELIVERY = 500
const ATTEMPT = 500

/** The bytes that a text retains; text outside Latin-1 takes twice as much, which is not looked for. */
export function bytesOfText(text: string | undefined): number {
  return text === undefined ? 0 : TEXT_HEADER + text.length
}

/** The bytes that a JSON value retains. */
export function bytesOfJson(value: JsonValue | undefined): number {
  if (typeof value === 'string') return bytesOfText(value)
  if (typeof value !== 'object' || value === null) return SLOT
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + SLOT + bytesOfJson(item), OBJECT)
  return Object.entries(value).reduce(
    (sum, [name, item]) => sum + PROPERTY + name.length + bytesOfJson(item),
    OBJECT,
  )
}

/** The bytes that a task retains from its creation on. */
export function bytesOfTask(
  { owner, model, webhookUrl, origin }: Pick<Task, 'owner' | 'model' | 'webhookUrl' | 'origin'>,
  inputBytes: number,
): number {
  return TASK + inputBytes + owner.length + model.length + (webhookUrl?.length ?? 0) + origin.length
}

/** The bytes that a task retains in addition once it has ended. */
export function bytesOfResult({ result, error }: Pick<Task, 'result' | 'error'>): number {
  const output = result?.output === undefined ? 0 : bytesOfJson(result.output)
  return error === undefined ? output : output + bytesOfText(error.message)
}

/** The bytes that a delivery retains with all of its attempts. */
export function bytesOfDelivery({ payload, url, attempts }: Delivery): number {
  return attempts.reduce(
    (sum, attempt) => sum + bytesOfAttempt(attempt, payload),
    DELIVERY + payload.length + url.length,
  )
}

/** The bytes that an attempt retains; a body that is the payload itself counts once, with the delivery. */
function bytesOfAttempt({ sent, answer, error }: Attempt, payload: Uint8Array): number {
  const body = sent.body === payload ? 0 : sent.body.length
  return (
    ATTEMPT + body + bytesOfHeaders(answer?.headers) + 2 * (answer?.body?.length ?? 0) + bytesOfText(error)
  )
}

function bytesOfHeaders(headers: Readonly<Record<string, string>> = {}): number {
  let bytes = 0
  for (const name in headers) bytes += PROPERTY + name.length + (headers[name]?.length ?? 0)
  return bytes
}

/** A simulator with its journal, its clock and its tables, when it is empty. */
const SANDBOX = 32_768
/** A compiled scenario takes about as many bytes for each character of its text. */
const COMPILED = 10

/** The bytes that a sandbox retains before it has any task. */
export function bytesOfSandbox({ text }: Scenario): number {
  return SANDBOX + COMPILED * (text?.length ?? 0)
}
