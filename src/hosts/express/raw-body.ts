import { incompleteBody } from '../../http/exchange/problem.js'
import type { HostRequest } from './middleware.js'
import { sendContinue } from './unfinished-request.js'

interface Reading {
  readonly bytes: Promise<Uint8Array | undefined>
  /** Stops counting the bytes for the previous reader. */
  readonly release: () => void
}

/** A stream can be read once; later readers get the same bytes. */
const readings = new WeakMap<HostRequest, Reading>()

/**
 * The bytes of a request's body. If a body parser has consumed the stream, they are rebuilt from `req.body`.
 * @param arrived called with the number of bytes of each piece; an error that it throws ends the reading
 * @param release called when another reader counts the bytes, or when the request is answered
 * @returns undefined if there are more than `limit` bytes
 */
export function rawBody(
  request: HostRequest,
  limit: number,
  arrived: (bytes: number) => void,
  release: () => void = () => {},
): Promise<Uint8Array | undefined> {
  const known = readings.get(request)
  if (known !== undefined || request.body !== undefined)
    return readAgain(known, request, limit, arrived, release)
  const bytes = read(request, limit, arrived)
  readings.set(request, { bytes, release })
  return bytes
}

async function readAgain(
  known: Reading | undefined,
  request: HostRequest,
  limit: number,
  arrived: (bytes: number) => void,
  release: () => void,
): Promise<Uint8Array | undefined> {
  const whole = known === undefined ? parsedBody(request.body) : await known.bytes
  // An earlier reader may have accepted a larger body.
  const bytes = whole !== undefined && whole.length <= limit ? whole : undefined
  known?.release()
  readings.set(request, { bytes: Promise.resolve(bytes), release })
  arrived(bytes?.length ?? 0)
  return bytes
}

/** Frees the body of an answered request, because its connection may stay open for a long time. */
export function releaseBody(request: HostRequest): void {
  readings.get(request)?.release()
  readings.delete(request)
}

function parsedBody(body: unknown): Uint8Array {
  return body instanceof Uint8Array
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

/** The body of a request that has arrived completely. */
async function readArrived(
  request: HostRequest,
  limit: number,
  arrived: (bytes: number) => void,
): Promise<Uint8Array | undefined> {
  const bytes: Uint8Array = request.read() ?? NO_BYTES
  if (bytes.length > limit) return undefined
  arrived(bytes.length)
  return bytes
}

const NO_BYTES = new Uint8Array()

function read(
  request: HostRequest,
  limit: number,
  arrived: (bytes: number) => void,
): Promise<Uint8Array | undefined> {
  // Most bodies arrive together with their headers; listeners cost more than everything else about them.
  if (request.complete) return readArrived(request, limit, arrived)
  if (Number(request.headers['content-length']) > limit) return Promise.resolve(undefined)
  sendContinue(request)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      // Further bytes are read and dropped, so that the client can read the answer.
      if (length > limit) {
        resolve(undefined)
        chunks.length = 0
        return
      }
      try {
        arrived(chunk.length)
        chunks.push(chunk)
      } catch (error) {
        reject(error)
        chunks.length = 0
        limit = 0
      }
    })
    const rejectIncomplete = () => reject(incompleteBody())
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
    request.once('error', rejectIncomplete)
    request.once('close', () => {
      if (!request.complete) rejectIncomplete()
    })
    // A request that has already closed emits no further event.
    if (request.destroyed && !request.complete) rejectIncomplete()
  })
}
