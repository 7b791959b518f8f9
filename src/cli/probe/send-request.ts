import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { startTimer, stopwatch } from '../../engine/clock/system-clock.js'

/** One request to the endpoint under test. */
export interface ProbeRequest {
  readonly method?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Called after the first half of the body was sent. When it resolves, the second half follows in pieces. */
  readonly afterFirstHalf?: () => Promise<unknown>
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
  const start = stopwatch()
  const createRequest = url.startsWith('https:') ? httpsRequest : httpRequest
  const { method = 'POST', headers, body } = probeRequest
  const request = createRequest(url, {
    method,
    agent: false,
    headers: {
      'User-Agent': 'tasksim probe',
      ...(body.length > 0 && { 'Content-Length': body.length }),
      ...headers,
    },
  })
  const answered = new Promise<ProbeResponse>((resolve) => {
    const finish = (status: number | undefined, error?: string, code?: string) =>
      resolve({ status, took: stopwatch() - start, error, code })
    const stop = startTimer(
      timeout,
      () => request.destroy(new Error(`no response within ${timeout / 1_000} s`)),
      true,
    )
    request.once('response', (response: IncomingMessage) => {
      finish(response.statusCode)
      response.destroy()
    })
    // An error after the response has no effect: a receiver may respond and close the connection early.
    request.on('error', (error: NodeJS.ErrnoException) =>
      finish(undefined, error.message || error.code, error.code),
    )
    request.once('close', () => {
      stop()
      finish(undefined, 'the connection was closed without a response')
    })
  })
  void write(request, probeRequest)
  return answered
}

const PIECES = 8

async function write(request: ClientRequest, { body, afterFirstHalf }: ProbeRequest): Promise<void> {
  if (afterFirstHalf === undefined) {
    request.end(body)
    return
  }
  const half = Math.floor(body.length / 2)
  await new Promise<void>((sent) => {
    request.write(body.subarray(0, half), () => sent())
  })
  await afterFirstHalf()
  const size = Math.max(1, Math.ceil((body.length - half) / PIECES))
  for (let from = half; from < body.length; from += size) {
    await new Promise<void>((sent) => {
      // Yield to the event loop, so that each piece is sent in a separate packet if possible.
      request.write(body.subarray(from, from + size), () => setImmediate(sent))
    })
  }
  request.end()
}
