import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { startTimer, stopwatch } from '../../engine/clock/system-clock.js'

/** One request to the endpoint under test. */
export interface ProbeRequest {
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Called after the first half of the body was sent. The second half follows in pieces when it resolves. */
  readonly drip?: () => Promise<unknown>
}

/** The response, or the reason why there is none. */
export interface ProbeResponse {
  /** Undefined if there was no response. */
  readonly status: number | undefined
  /** Milliseconds of real time. */
  readonly took: number
  /** The reason why there was no response. */
  readonly error: string | undefined
  /** The system's error code, such as `ECONNREFUSED`. */
  readonly code?: string | undefined
}

/** Sends a request on a new connection, and waits at most `timeout` milliseconds for the status. */
export function sendRequest(
  url: string,
  probeRequest: ProbeRequest,
  timeout: number,
): Promise<ProbeResponse> {
  const begin = stopwatch()
  const open = url.startsWith('https:') ? httpsRequest : httpRequest
  const { method = 'POST', headers, body } = probeRequest
  const request = open(url, {
    method,
    agent: false,
    headers: {
      'User-Agent': 'tasksim probe',
      ...(body.length > 0 && { 'Content-Length': body.length }),
      ...headers,
    },
  })
  const answered = new Promise<ProbeResponse>((resolve) => {
    const end = (status: number | undefined, error?: string, code?: string) =>
      resolve({ status, took: stopwatch() - begin, error, code })
    const stop = startTimer(
      timeout,
      () => request.destroy(new Error(`no response within ${timeout / 1_000} s`)),
      true,
    )
    request.once('response', (response: IncomingMessage) => {
      end(response.statusCode)
      response.destroy()
    })
    // After its response, a receiver may cut the connection while the rest of the body is being sent.
    request.on('error', (error: NodeJS.ErrnoException) =>
      end(undefined, error.message || error.code, error.code),
    )
    request.once('close', () => {
      stop()
      end(undefined, 'the connection was closed without a response')
    })
  })
  void write(request, probeRequest)
  return answered
}

const PIECES = 8

async function write(request: ClientRequest, { body, drip }: ProbeRequest): Promise<void> {
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
      // A turn of the event loop between the pieces puts each one in a packet of its own, if possible.
      request.write(body.subarray(from, from + size), () => setImmediate(sent))
    })
  }
  request.end()
}
