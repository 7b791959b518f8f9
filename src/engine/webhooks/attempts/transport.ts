import type { Answer } from '../deliveries/delivery.js'

/** One POST to a receiver. */
export interface Post {
  /** The URL of the receiver. */
  readonly url: string
  /** By name. */
  readonly headers: Readonly<Record<string, string>>
  /** The bytes to send. */
  readonly body: Uint8Array<ArrayBuffer>
  /** Aborted if the attempt times out or the simulator is reset. */
  readonly signal: AbortSignal
}

/** Sends a POST and returns the response; rejects if there is none. */
export type Transport = (post: Post) => Promise<Answer>

/** A receiver in this process, such as a route handler under test. */
export type ReceiverFunction = (request: Request) => Response | Promise<Response>

/** Sends with the platform's `fetch`. It does not follow redirects and reads only the beginning of a long response. */
export const fetchTransport: Transport = async (post) => {
  const { url, headers, body, signal } = post
  return answerOf(await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' }), post)
}

/** Passes the webhook to a function, without a network. */
export function functionTransport(receive: ReceiverFunction): Transport {
  return async (post) => {
    const { url, headers, body } = post
    return answerOf(await receive(new Request(url, { method: 'POST', headers, body })), post)
  }
}

/** The maximum number of bytes to keep of a response's body. */
export const KEPT_BYTES = 4_096

/** The reasons why the body of a response is incomplete. */
export const PARTIAL = {
  long: 'only the first 4 KB of the body were read',
  timeout: 'the body did not end before the timeout',
  cut: 'the connection closed before the end of the body',
  undecodable: 'the body does not match its Content-Encoding',
} as const

/** The beginning of a body. */
export type Beginning = Pick<Answer, 'body' | 'partial'>

async function answerOf(response: Response, post: Post): Promise<Answer> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    ...(await beginningOf(response, post)),
  }
}

/**
 * Reads the first bytes of a body as text. A response with an incomplete body still counts, because it has a status.
 */
async function beginningOf({ body, bodyUsed }: Response, post: Post): Promise<Beginning> {
  if (body === null || bodyUsed) return { body: '' }
  const { signal } = post
  const reader = body.getReader()
  const stop = () => {
    reader.cancel().catch(() => {})
  }
  // A receiver function does not get the signal.
  signal.addEventListener('abort', stop, { once: true })
  const decoder = new TextDecoder()
  let text = ''
  let left = KEPT_BYTES
  let partial: string | undefined = PARTIAL.long
  try {
    while (left >= 0) {
      const { done, value } = await reader.read()
      if (done) {
        partial = undefined
        text += decoder.decode()
        break
      }
      text += decoder.decode(value.subarray(0, left), { stream: true })
      left -= value.length
    }
  } catch {
    partial = PARTIAL.cut
  }
  signal.removeEventListener('abort', stop)
  stop()
  return { body: text, partial: signal.aborted ? PARTIAL.timeout : partial }
}
