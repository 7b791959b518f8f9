import { type Awaitable, after } from '../engine/awaitable.js'
import type { ApiRequest } from '../exchange/exchange.js'
import { overBudget, Problem } from '../exchange/problem.js'
import type { Exchange } from './operation.js'
import { Transfer } from './transfer.js'

/** In bytes: the largest body of any operation. */
export const LARGEST_BODY = 50 * 1024 * 1024

/** The largest accepted body, and the message about a larger one. */
export interface BodyLimit {
  readonly bytes: number
  readonly problem: string
}

/**
 * Reads the body of a request, and counts it in the memory budget until the request is answered.
 * @throws Problem 413 if it is too large, 503 if it exceeds the budget
 */
export function readBytes(exchange: Exchange, limit: BodyLimit): Awaitable<Uint8Array> {
  const body = exchange.request.body(limit.bytes, (count) => countTransfer(exchange, count))
  return after(body, (bytes) => {
    if (bytes !== undefined) return bytes
    throw new Problem('payload_too_large', limit.problem)
  })
}

/** @throws Problem 415 if the body is compressed */
export function checkEncoding(request: ApiRequest): void {
  const encoding = request.header('content-encoding')
  if (encoding === undefined || encoding === 'identity') return
  const message = `The content encoding ${encoding} is not supported. Send the body as it is.`
  throw new Problem('unsupported_media_type', message)
}

/** The operations whose results take at least the bytes of their requests. */
const KEEPING: ReadonlySet<string | undefined> = new Set(['tasks.create', 'files.upload'])

/**
 * Counts bytes of a body while it arrives: many large ones could exceed the memory before any result exists.
 * @throws Problem 503 if they exceed the budget
 */
export function countTransfer(exchange: Exchange, bytes: number): void {
  const { memory } = exchange.sim
  const { body } = exchange
  body.transfer ??= new Transfer(memory)
  // A body that exceeds the budget need not be read.
  if (KEEPING.has(exchange.operation?.id) && !memory.tryToFit(body.transfer.bytes + bytes))
    throw overBudget(memory)
  body.transfer.add(bytes)
}
