import { Writable } from 'node:stream'
import type { Response as ExpressResponse } from 'express'

/** Passes on the answer of a handler, or closes the connection if the handler simulates a network error. */
export class OverrideResponse extends Writable {
  statusCode = 200
  statusMessage = ''
  readonly #headers: [string, string][] = []
  readonly #response: ExpressResponse

  constructor(response: ExpressResponse) {
    super()
    this.#response = response
    this.on('pipe', (source) => source.once('error', () => this.#cut()))
    response.once('close', () => this.destroy())
  }

  appendHeader(name: string, value: string): void {
    this.#headers.push([name, value])
  }

  override _write(chunk: Uint8Array, _encoding: string, done: (error?: Error) => void): void {
    try {
      this.#begin()
      if (this.#response.write(chunk)) done()
      else this.#response.once('drain', done)
    } catch (error) {
      done(this.#revert(error))
    }
  }

  override _final(done: (error?: Error) => void): void {
    try {
      // The status of Response.error(), which a client sees as a network error.
      if (this.statusCode === 0) this.#cut()
      else {
        this.#begin()
        this.#response.end()
      }
      done()
    } catch (error) {
      done(this.#revert(error))
    }
  }

  #begin(): void {
    if (this.#response.headersSent) return
    this.#response.status(this.statusCode)
    if (this.statusMessage !== '') this.#response.statusMessage = this.statusMessage
    // A header of the handler replaces an existing one, such as from --cors: a browser rejects two origins.
    for (const [name] of this.#headers) this.#response.removeHeader(name)
    for (const [name, value] of this.#headers) this.#response.appendHeader(name, value)
  }

  /** Removes the prepared status and headers, so that another answer can follow. */
  #revert(error: unknown): Error {
    if (!this.#response.headersSent) {
      this.#response.statusMessage = ''
      for (const [name] of this.#headers) this.#response.removeHeader(name)
    }
    return asError(error)
  }

  #cut(): void {
    this.#response.socket?.destroy()
  }
}

/** Converts any value to an Error, because Express ignores some values, such as undefined and 'route'. */
export function asError(error: unknown): Error {
  if (error instanceof Error) return error
  return new TypeError(`it threw ${String(error)} instead of an Error`)
}
