import type { Request } from 'express'
import { Problem } from '../../api/problem.js'

/** A stream can be read once; whoever asks again gets the same answer. */
const bodies = new WeakMap<Request, Promise<Uint8Array | undefined>>()

/**
 * The bytes of a request's body. Where a body parser was there first and has used up the stream, what it left
 * in `req.body` is taken instead.
 * @returns undefined where there are more than `limit` bytes
 */
export async function rawBody(request: Request, limit: number): Promise<Uint8Array | undefined> {
  const known = bodies.get(request)
  if (known !== undefined) return known
  const body =
    request.body === undefined ? read(request, limit) : Promise.resolve(parsedBody(request.body, limit))
  bodies.set(request, body)
  return body
}

function parsedBody(body: unknown, limit: number): Uint8Array | undefined {
  const bytes =
    body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return bytes.length <= limit ? bytes : undefined
}

function read(request: Request, limit: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers['content-length']) > limit) return Promise.resolve(undefined)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      // What comes after is let in and dropped, so that the client gets to read the answer.
      if (length > limit) resolve(undefined)
      else chunks.push(chunk)
    })
    const breakOff = () =>
      reject(new Problem('invalid_request', 'The connection was closed before the body had ended.'))
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
    request.once('error', breakOff)
    request.once('close', () => {
      if (!request.complete) breakOff()
    })
  })
}
