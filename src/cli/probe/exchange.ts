import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { startTimer, stopwatch } from '../../engine/clock/system-clock.js'

/** One request to the endpoint under attack. */
export interface Shot {
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Called when the first half is on its way; the rest follows in pieces when it resolves. */
  readonly drip?: () => Promise<unknown>
}

/** What came back. */
export interface Echo {
  /** Undefined where nothing was answered. */
  readonly status: number | undefined
  /** Milliseconds of real time. */
  readonly took: number
  /** Why there was no answer. */
  readonly error: string | undefined
  /** The system's word for it, such as `ECONNREFUSED`, where there is one. */
  readonly code?: string | undefined
}

/** Sends a request on a connection of its own, and takes the status that comes back within `timeout` milliseconds. */
export function exchange(url: string, shot: Shot, timeout: number): Promise<Echo> {
  const begin = stopwatch()
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  const length = shot.body.length
  const request = send(url, {
    method: shot.method ?? 'POST',
    agent: false,
    headers: {
      'User-Agent': 'tasksim probe',
      ...(length > 0 && { 'Content-Length': length }),
      ...shot.headers,
    },
  })
  const answered = new Promise<Echo>((resolve) => {
    const end = (status: number | undefined, error?: string, code?: string) =>
      resolve({ status, took: stopwatch() - begin, error, code })
    const stop = startTimer(
      timeout,
      () => request.destroy(new Error(`no answer within ${timeout / 1_000} s`)),
      true,
    )
    request.once('response', (response: IncomingMessage) => {
      end(response.statusCode)
      response.destroy()
    })
    // A receiver that has answered may well break off what is still on its way to it.
    request.on('error', (error: NodeJS.ErrnoException) =>
      end(undefined, error.message || error.code, error.code),
    )
    request.once('close', () => {
      stop()
      end(undefined, 'the connection was closed without an answer')
    })
  })
  void write(request, shot)
  return answered
}

const PIECES = 8

async function write(request: ClientRequest, { body, drip }: Shot): Promise<void> {
  if (drip === undefined) {
    request.end(body)
    return
  }
  const half = Math.floor(body.length / 2)
  await new Promise<void>((sent) => {
    request.write(body.subarray(0, half), () => sent())
  })
  await drip()
  const size = Math.max(1, Math.ceil((body.length - half) / PIECES))
  for (let from = half; from < body.length; from += size) {
    await new Promise<void>((sent) => {
      // Alone in its packet, or at least in its write.
      request.write(body.subarray(from, from + size), () => setImmediate(sent))
    })
  }
  request.end()
}
