/** One POST to a receiver. */
export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
  /** Aborted when the attempt has timed out or is abandoned. */
  readonly signal: AbortSignal
}

/** How a webhook leaves: sends a POST and gives the status of the answer; rejects where none comes. */
export type Transport = (post: Post) => Promise<number>

/** A receiver inside this process, such as a route handler under test. */
export type ReceiverFunction = (request: Request) => Response | Promise<Response>

/** Sends with the `fetch` of the platform. Redirects are not followed, and the answer's body is not read. */
export const fetchTransport: Transport = async ({ url, headers, body, signal }) => {
  const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
  response.body?.cancel().catch(() => {})
  return response.status
}

/** Hands the webhook to a function, without a network. */
export function functionTransport(receive: ReceiverFunction): Transport {
  return async ({ url, headers, body }) =>
    (await receive(new Request(url, { method: 'POST', headers, body }))).status
}
