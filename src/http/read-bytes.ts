import { yieldToEventLoop } from '../engine/yield-to-event-loop.js'
import type { ApiRequest } from './exchange/exchange.js'
import { overBudget, Problem } from './exchange/problem.js'
import type { Exchange } from './operation.js'
import { Transfer } from './transfer.js'

/** In bytes: the largest body of any operation. */
export const LARGEST_BODY = 50 * 1024 * 1024

/** The largest accepted body, and the message about a larger one. */
interface BodyLimit {
  readonly bytes: number
  readonly problem: string
}

/**
 * Reads the body of a request, and counts it in the memory budget until the request is answered.
 * @throws Problem 413 if it is too large, 503 if it exceeds the budget
 */
export async function readBytes(exchange: Exchange, limit: BodyLimit): Promise<Uint8Array> {
  const bytes = await exchange.request.body(limit.bytes, (count) => countTransfer(exchange, count))
  if (bytes !== undefined) return bytes
  throw new Problem('payload_too_large', limit.problem)
}

/** In bytes. Working on a piece of this size takes a few milliseconds at most. */
const LARGEST_PIECE = 262_144

/**
 * Reads the body of a request piece by piece, and counts it in the memory budget until the request is answered. Yields to
 * the event loop between the pieces of a large body.
 * @param take called with each piece; an error that it throws ends the reading
 * @throws Problem 413 if it is too large, 503 if it exceeds the budget
 */
export async function readPieces(
  exchange: Exchange,
  limit: BodyLimit,
  take: (piece: Uint8Array) => void,
): Promise<void> {
  const { request } = exchange
  if (request.read === undefined) return takeSlices(await readBytes(exchange, limit), take)
  const isWhole = await request.read(limit.bytes, (piece) => {
    countTransfer(exchange, piece.length)
    take(piece)
  })
  if (!isWhole) throw new Problem('payload_too_large', limit.problem)
}

/** Calls a function with each piece of some bytes, and yields to the event loop between them. */
export async function takeSlices(bytes: Uint8Array, take: (piece: Uint8Array) => void): Promise<void> {
  for (let start = 0; start < bytes.length; start += LARGEST_PIECE) {
    if (start > 0) await yieldToEventLoop()
    take(bytes.subarray(start, start + LARGEST_PIECE))
  }
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

/** Bodies count while they arrive: many large ones could exceed the memory before any result exists. */
function countTransfer(exchange: Exchange, bytes: number): void {
  const { memory } = exchange.sim
  exchange.transfer ??= new Transfer(memory)
  // A body that exceeds the budget need not be read.
  if (KEEPING.has(exchange.operation?.id) && !memory.tryToFit(exchange.transfer.bytes + bytes))
    throw overBudget(memory)
  exchange.transfer.add(bytes)
}
