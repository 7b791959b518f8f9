import type { HeaderRecord } from '../requests/header-record.js'
import type { ScenarioSettings } from '../scenario/scenario.js'
import type { Task } from '../tasks/task.js'
import type { Attempt, Delivery } from '../webhooks/deliveries/delivery.js'
import { bytesOfJson } from './json-bytes.js'

// Estimates of the bytes that V8 allocates, measured on 64-bit Node. Only large values matter.
const TEXT_HEADER = 24
const PROPERTY = 24
/** A task with its row in the store, its scheduled job and its journal entries. */
const TASK = 1_000
const DELIVERY = 500
const ATTEMPT = 500

/** The bytes that a text retains. Text outside Latin-1 takes twice as much, which this estimate ignores. */
export function bytesOfText(text: string | undefined): number {
  return text === undefined ? 0 : TEXT_HEADER + text.length
}

/** The bytes that a task retains before it has ended. */
export function bytesOfTask(
  {
    owner,
    model,
    webhookUrl,
    origin,
    extra,
  }: Pick<Task, 'owner' | 'model' | 'webhookUrl' | 'origin'> & Partial<Pick<Task, 'extra'>>,
  inputBytes: number,
): number {
  const texts = owner.length + model.length + (webhookUrl?.length ?? 0) + origin.length
  return TASK + inputBytes + texts + (extra === undefined ? 0 : bytesOfExtra(extra))
}

/** By the values, because a task with a large one would be walked several times. */
const measured = new WeakMap<object, number>()

function bytesOfExtra(extra: NonNullable<Task['extra']>): number {
  const bytes = measured.get(extra) ?? bytesOfJson(extra)
  measured.set(extra, bytes)
  return bytes
}

/** The additional bytes that an ended task retains. */
export function bytesOfResult({ result, error }: Pick<Task, 'result' | 'error'>): number {
  const output = result?.output === undefined ? 0 : bytesOfJson(result.output)
  return error === undefined ? output : output + bytesOfText(error.message)
}

/** The bytes that a delivery retains with all of its attempts. */
export function bytesOfDelivery({ payload, url, attempts }: Delivery): number {
  let bytes = DELIVERY + payload.length + url.length
  for (const attempt of attempts) bytes += bytesOfAttempt(attempt, payload)
  return bytes
}

/** The bytes that an attempt retains, except a body that is the payload of the delivery. */
function bytesOfAttempt({ sent, answer, error }: Attempt, payload: Uint8Array): number {
  const body = sent.body === payload ? 0 : sent.body.length
  return (
    ATTEMPT + body + bytesOfHeaders(answer?.headers) + 2 * (answer?.body?.length ?? 0) + bytesOfText(error)
  )
}

/** The bytes that headers retain. */
export function bytesOfHeaders(headers: HeaderRecord = {}): number {
  let bytes = 0
  for (const name in headers) bytes += PROPERTY + name.length + (headers[name]?.length ?? 0)
  return bytes
}

/** An empty simulator with its journal, its clock and its tables. */
const SANDBOX = 32_768
/** Bytes of a compiled scenario per character of its text. */
const COMPILED = 10

/** The bytes that a sandbox without tasks retains. */
export function bytesOfSandbox({ text }: ScenarioSettings): number {
  return SANDBOX + COMPILED * (text?.length ?? 0)
}
