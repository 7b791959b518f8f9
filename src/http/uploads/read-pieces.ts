import { yieldToEventLoop } from '../../engine/awaitable.js'
import { incompleteBody, Problem } from '../../exchange/problem.js'
import type { Exchange } from '../operation.js'
import { type BodyLimit, countTransfer, readBytes } from '../read-bytes.js'

type Take = (piece: Uint8Array) => void

/**
 * Reads the body of a request piece by piece, and counts it in the memory budget until the request is answered. Yields to
 * the event loop between the pieces of a large body.
 * @param take called with each piece; an error that it throws ends the reading
 * @throws Problem 413 if it is too large, 503 if it exceeds the budget
 */
export async function readPieces(exchange: Exchange, limit: BodyLimit, take: Take): Promise<void> {
  const { request } = exchange
  if (request.read === undefined) return takeSlices(await readBytes(exchange, limit), take)
  const isWhole = await request.read(limit.bytes, (piece) => {
    countTransfer(exchange, piece.length)
    take(piece)
  })
  if (!isWhole) throw new Problem('payload_too_large', limit.problem)
}

/** In bytes. Working on a piece of this size takes a few milliseconds at most. */
const LARGEST_PIECE = 262_144

/** Calls a function with each piece of some bytes, and yields to the event loop between them. */
export async function takeSlices(bytes: Uint8Array, take: Take): Promise<void> {
  for (let start = 0; start < bytes.length; start += LARGEST_PIECE) {
    if (start > 0) await yieldToEventLoop()
    take(bytes.subarray(start, start + LARGEST_PIECE))
  }
}

/** Reads the body of a fetch request, as `read` of an API request does. */
export async function readStream(request: Request, limit: number, take: Take): Promise<boolean> {
  let length = 0
  for await (const piece of piecesOf(request)) {
    length += piece.length
    if (length > limit) return false
    await takeSlices(piece, take)
  }
  return true
}

async function* piecesOf(request: Request): AsyncGenerator<Uint8Array, void, undefined> {
  // Firefox has no `body`.
  const reader = (request.body as Request['body'] | undefined)?.getReader()
  if (reader === undefined) return yield new Uint8Array(await request.arrayBuffer().catch(brokenOff))
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(brokenOff)
      if (done) return
      yield value
    }
  } finally {
    // Not awaited: MSW keeps a clone of the request unread.
    reader.cancel().catch(() => {})
  }
}

function brokenOff(): never {
  throw incompleteBody()
}
