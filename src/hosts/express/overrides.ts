import { Writable } from 'node:stream'
import type { RequestHandler as ExpressHandler, NextFunction, Request, Response } from 'express'
import type { RequestHandler } from 'msw'
import { originOf } from './express-request.js'
import { rawBody } from './raw-body.js'

/** What is larger is not shown to the handlers; the API refuses it anyway. */
const MOST_BYTES = 10 * 1024 * 1024

/**
 * Lets MSW handlers answer first, by `@mswjs/http-middleware`, which is loaded with the first request.
 *
 * The middleware gets a request and a response of ours instead of Node's. It would consume the body that the
 * API needs after it, and write a parsed body anew; it ends the process on a handler that returns
 * `Response.error()`, on a body stream that fails, and on a Host that cannot stand in a URL.
 */
export function overrides(handlers: readonly RequestHandler[]): ExpressHandler {
  const middleware = import('@mswjs/http-middleware').then(({ createMiddleware }) =>
    // The package's types see msw through CommonJS, where the same classes are others.
    createMiddleware(...(handlers as never[])),
  )
  middleware.catch(() => {})
  return (request, response, next) => {
    run(request, response, next).catch(next)
  }

  async function run(request: Request, response: Response, next: NextFunction): Promise<void> {
    const body = await rawBody(request, MOST_BYTES)
    if (body === undefined) return next()
    request.body = body
    const handle = await middleware
    await handle(requestView(request, body) as never, new OverrideResponse(response) as never, next)
  }
}

/** As much of a request as the middleware looks at. Without a content type it passes the body on as it is. */
function requestView(request: Request, body: Uint8Array) {
  const { method, url, headers, protocol } = request
  const [, host] = originOf(request).split('://')
  return { method, url, headers, protocol, body, readable: false, get: () => host, header: () => undefined }
}

/** Takes what a handler answers and passes it on, or cuts the connection where the handler fails on purpose. */
class OverrideResponse extends Writable {
  statusCode = 200
  statusMessage = ''
  readonly #headers: [string, string][] = []
  readonly #response: Response

  constructor(response: Response) {
    super()
    this.#response = response
    this.on('pipe', (source) => source.once('error', () => this.#cut()))
    response.once('close', () => this.destroy())
  }

  appendHeader(name: string, value: string): void {
    this.#headers.push([name, value])
  }

  override _write(chunk: Uint8Array, _encoding: string, done: () => void): void {
    this.#begin()
    if (this.#response.write(chunk)) done()
    else this.#response.once('drain', done)
  }

  override _final(done: () => void): void {
    // The status of Response.error(), which a client sees as a failure of the network.
    if (this.statusCode === 0) this.#cut()
    else {
      this.#begin()
      this.#response.end()
    }
    done()
  }

  #begin(): void {
    if (this.#response.headersSent) return
    this.#response.status(this.statusCode)
    if (this.statusMessage !== '') this.#response.statusMessage = this.statusMessage
    for (const [name, value] of this.#headers) this.#response.appendHeader(name, value)
  }

  #cut(): void {
    this.#response.socket?.destroy()
  }
}
