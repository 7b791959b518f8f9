import type { Answer } from './delivery.js'

/** One POST to a receiver. */
export interface Post {
  /** Where it goes. */
  readonly url: string
  /** By name. */
  readonly headers: Readonly<Record<string, string>>
  /** The bytes to send. */
  readonly body: Uint8Array<ArrayBuffer>
  /** Aborted when the attempt has timed out or is abandoned. */
  readonly signal: AbortSignal
}

/** How a webhook leaves: sends a POST and gives what was answered; rejects where no answer comes. */
export type Transport = (post: Post) => Promise<Answer>

/** A receiver inside this process, such as a route handler under test. */
export type ReceiverFunction = (request: Request) => Response | Promise<Response>

/** Sends with the `fetch` of the platform. Redirects are not followed, and a long answer is not read to its end. */
export const fetchTransport: Transport = async ({ url, headers, body, signal }) =>
  answerOf(await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' }))

/** Hands the webhook to a function, without a network. */
export function functionTransport(receive: ReceiverFunction): Transport {
  return async ({ url, headers, body }) =>
    answerOf(await receive(new Request(url, { method: 'POST', headers, body })))
}

/** How much of an answer's body is kept, in bytes. */
export const KEPT_BYTES = 4_096

async function answerOf(response: Response): Promise<Answer> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await beginningOf(response),
  }
}

/** The first bytes of a body, as text. What breaks off has been answered all the same: the status has come. */
async function beginningOf({ body, bodyUsed }: Response): Promise<string> {
  if (body === null || bodyUsed) return ''
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  let left = KEPT_BYTES
  try {
    while (left > 0) {
      const { done, value } = await reader.read()
      if (done) return text + decoder.decode()
      text += decoder.decode(value.subarray(0, left), { stream: true })
      left -= value.length
    }
  } catch {}
  reader.cancel().catch(() => {})
  return text
}
