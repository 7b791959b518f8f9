import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { NextFunction } from 'express'

/** The parts of a request that a handler needs. */
export interface HandlerRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly protocol: string
  readonly body: Uint8Array
  get(name: 'host'): string | undefined
}

/** The stream that receives an answer. */
export interface AnswerStream extends NodeJS.WritableStream {
  statusCode: number
  statusMessage: string
  appendHeader(name: string, value: string): void
}

/** Replaces `@mswjs/http-middleware` for MSW 3: calls handlers, and writes their answers. */
export function withoutMiddleware(ask: (request: Request) => Promise<Response | undefined>) {
  return async (given: HandlerRequest, answered: AnswerStream, next: NextFunction): Promise<void> => {
    const answer = await ask(requestOf(given))
    if (answer === undefined || isPassthrough(answer)) return next()
    answered.statusCode = answer.status
    answered.statusMessage = answer.statusText
    answer.headers.forEach((value, name) => {
      answered.appendHeader(name, value)
    })
    if (answer.body === null) answered.end()
    else Readable.fromWeb(answer.body as ReadableStream).pipe(answered)
  }
}

function requestOf({ method, url, headers, protocol, body, ...given }: HandlerRequest): Request {
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  )
  return new Request(new URL(url, `${protocol}://${given.get('host')}`), {
    method,
    headers: fields,
    ...(method !== 'GET' && method !== 'HEAD' && { body: Uint8Array.from(body) }),
  })
}

/** Whether a response is the result of `passthrough()`, which all versions of MSW mark in this way. */
function isPassthrough({ status, headers }: Response): boolean {
  return status === 302 && headers.get('x-msw-intention') === 'passthrough'
}
