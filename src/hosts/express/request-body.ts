import type { IncomingMessage } from 'node:http'
import type { Awaitable } from '../../engine/awaitable.js'
import { incompleteBody } from '../../exchange/problem.js'
import { takeSlices } from '../../http/uploads/read-pieces.js'
import { sendContinue } from './unfinished-request.js'

/** A request of Node's server, with what Express adds to it, if it has passed through Express. */
export interface HostRequest extends IncomingMessage {
  /** The path at which the app is mounted. */
  readonly baseUrl?: string
  readonly protocol?: string
  /** The result of a body parser. */
  readonly body?: unknown
}

interface Reading {
  readonly bytes: Awaitable<Uint8Array | undefined>
  /** Stops counting the bytes for the previous reader. */
  readonly release: (() => void) | undefined
}

/** A stream can be read once; later readers get the same bytes. */
const readings = new WeakMap<HostRequest, Reading>()

/**
 * The bytes of a request's body. If a body parser has consumed the stream, they are rebuilt from `req.body`.
 * @param arrived called with the number of bytes of each piece that must be waited for; an error that it throws ends the
 * reading
 * @param release called when another reader counts the bytes, or when the request is answered
 * @returns undefined if there are more than `limit` bytes; a promise only if the body has not arrived
 */
export function rawBody(
  request: HostRequest,
  limit: number,
  arrived: (bytes: number) => void,
  release?: () => void,
): Awaitable<Uint8Array | undefined> {
  const known = readings.get(request)
  if (known !== undefined || request.body !== undefined)
    return readAgain(known, request, limit, arrived, release)
  // Most bodies arrive together with their headers; listeners cost more than everything else about them.
  const bytes = request.complete ? arrivedBytes(request, limit) : collect(request, limit, arrived)
  readings.set(request, { bytes, release })
  return bytes
}

/** The body of a request that has arrived completely; undefined if there are more than `limit` bytes. */
function arrivedBytes(request: HostRequest, limit: number): Uint8Array | undefined {
  const bytes: Uint8Array | null = request.read()
  if (bytes === null) return NO_BYTES
  return bytes.length > limit ? undefined : bytes
}

/**
 * Passes on the pieces of a request's body as they arrive, and keeps none of them. If another reader has the body, the
 * pieces are parts of it.
 * @param take called with each piece; an error that it throws ends the reading
 * @returns false if there are more than `limit` bytes
 */
export async function rawPieces(
  request: HostRequest,
  limit: number,
  take: (piece: Uint8Array) => void,
): Promise<boolean> {
  const isUnread = !readings.has(request) && request.body === undefined
  if (isUnread && !request.complete) return receive(request, limit, take)
  const bytes = await rawBody(request, limit, () => {})
  if (bytes === undefined) return false
  await takeSlices(bytes, take)
  return true
}

async function readAgain(
  known: Reading | undefined,
  request: HostRequest,
  limit: number,
  arrived: (bytes: number) => void,
  release: (() => void) | undefined,
): Promise<Uint8Array | undefined> {
  const whole = known === undefined ? parsedBody(request.body) : await known.bytes
  // An earlier reader may have accepted a larger body.
  const bytes = whole !== undefined && whole.length <= limit ? whole : undefined
  known?.release?.()
  readings.set(request, { bytes: Promise.resolve(bytes), release })
  arrived(bytes?.length ?? 0)
  return bytes
}

/** Frees the body of an answered request, because its connection may stay open for a long time. */
export function releaseBody(request: HostRequest): void {
  readings.get(request)?.release?.()
  readings.delete(request)
}

function parsedBody(body: unknown): Uint8Array {
  return body instanceof Uint8Array
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

/** @returns undefined if there are more than `limit` bytes */
async function collect(
  request: HostRequest,
  limit: number,
  arrived: (bytes: number) => void,
): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = []
  const isWhole = await receive(request, limit, (piece) => {
    arrived(piece.length)
    pieces.push(piece)
  })
  if (!isWhole) return undefined
  const [first = NO_BYTES] = pieces
  return pieces.length > 1 ? Buffer.concat(pieces) : first
}

const NO_BYTES = new Uint8Array()

/** Passes on the pieces of a body that has not arrived completely. */
function receive(request: HostRequest, limit: number, take: (piece: Uint8Array) => void): Promise<boolean> {
  if (Number(request.headers['content-length']) > limit) return Promise.resolve(false)
  sendContinue(request)
  return new Promise((resolve, reject) => {
    let length = 0
    let taking: typeof take | undefined = take
    request.on('data', (piece: Buffer) => {
      length += piece.length
      try {
        if (length <= limit) return taking?.(piece)
        resolve(false)
      } catch (error) {
        reject(error)
      }
      // Further bytes are read and dropped, so that the client can read the answer.
      taking = undefined
    })
    const rejectIncomplete = () => reject(incompleteBody())
    request.once('end', () => resolve(true))
    request.once('error', rejectIncomplete)
    request.once('close', () => {
      if (!request.complete) rejectIncomplete()
    })
    // A request that has already closed emits no further event.
    if (request.destroyed && !request.complete) rejectIncomplete()
  })
}
