import type { Task } from '../tasks/task.js'
import type { Delivery } from '../webhooks/deliveries/delivery.js'

/**
 * What each value counts beside its length: an object or a list, a string or the name of a field, and any other value.
 */
const CONTAINER = 40
const TEXT = 32
const SCALAR = 8
/** What a task counts beside its contents, with its rows in the store, in the schedule and in the journal. */
const TASK = 1_000
/** What a delivery, and each attempt of it, counts beside its contents. */
const DELIVERY = 500
/** An empty simulator with its journal, its clock and its tables. */
const SANDBOX = 32_768
/** The parts of a compiled scenario, for each character of its text. */
const COMPILED = 10

const WIDE = /[^\0-\xff]/
/** Shorter strings count one byte for each character, whatever it is. */
const SHORT = 1_000

/**
 * Counts the bytes of a value for the memory budget: the length of its files and of its JSON, and a fixed number for each
 * value in it. It recurses, so the caller limits the depth of untrusted input.
 */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string')
    return TEXT + (value.length > SHORT && WIDE.test(value) ? 2 * value.length : value.length)
  if (value === undefined) return 0
  if (typeof value !== 'object' || value === null) return SCALAR
  if (value instanceof Uint8Array) return value.length
  let bytes = CONTAINER
  if (Array.isArray(value)) for (const item of value) bytes += bytesOf(item)
  else for (const name in value) bytes += TEXT + name.length + bytesOf(value[name as keyof typeof value])
  return bytes
}

/** The bytes of a task: of its order and, once it has ended, of its result. */
export function bytesOfTask({
  inputBytes,
  result,
  error,
}: Pick<Task, 'inputBytes'> & Partial<Pick<Task, 'result' | 'error'>>): number {
  return TASK + inputBytes + bytesOfResult({ result, error })
}

/** The bytes that a task counts only after its end. */
export function bytesOfResult({ result, error }: Partial<Pick<Task, 'result' | 'error'>>): number {
  return bytesOf(result?.output) + bytesOf(error?.message)
}

/** The bytes of a delivery with its attempts. A body that is the payload of the delivery counts once. */
export function bytesOfDelivery({ payload, url, attempts }: Delivery): number {
  let bytes = DELIVERY + payload.length + bytesOf(url)
  for (const { sent, answer, error } of attempts)
    bytes += DELIVERY + (sent.body === payload ? 0 : sent.body.length) + bytesOf(answer) + bytesOf(error)
  return bytes
}

/** The bytes of a sandbox without tasks. */
export function bytesOfSandbox({ text }: { readonly text: string | null | undefined }): number {
  return SANDBOX + COMPILED * (text?.length ?? 0)
}
