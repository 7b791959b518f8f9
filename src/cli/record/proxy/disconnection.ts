import type { ServerResponse } from 'node:http'

/** Aborted when the client disconnects before it has the whole answer. */
export function disconnection(response: ServerResponse): AbortSignal {
  const disconnected = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) disconnected.abort()
  })
  return disconnected.signal
}
