import type { Request } from 'express'
import { Problem } from '../../api/problem.js'

/**
 * The bytes of a request's body. Where a body parser was there first and has used up the stream, what it left
 * in `req.body` is taken instead.
 * @returns undefined where there are more than `limit` bytes
 */
export async function rawBody(request: Request, limit: number): Promise<Uint8Array | undefined> {
  const bytes = request.body === undefined ? await read(request, limit) : parsedBody(request.body)
  return bytes !== undefined && bytes.length <= limit ? bytes : undefined
}

function parsedBody(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function read(request: Request, limit: number): Promise<Uint8Array | undefined> {
  if (Number(request.headers['content-length']) > limit) return Promise.resolve(undefined)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      // What comes after is let in and dropped, so that the client gets to read the answer.
      if (length > limit) return resolve(undefined)
      chunks.push(chunk)
    })
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
    request.once('error', reject)
    request.once('close', () => {
      if (!request.complete)
        reject(new Problem('invalid_request', 'The connection was closed before the body had ended.'))
    })
  })
}
