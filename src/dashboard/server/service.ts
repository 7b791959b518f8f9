import type { ServiceRequestShape } from '../../control/shapes.js'

/** The answer of the simulated service. */
export interface ServiceReply {
  readonly status: number
  readonly requestId: string
  readonly body: string
}

/**
 * Sends a request to the simulated service, without the token of the page.
 * @param key takes the place of `$API_KEY` in the headers
 * @throws TypeError if there is no answer
 */
export async function sendToService(
  { method, url, headers, body }: ServiceRequestShape,
  key: string,
): Promise<ServiceReply> {
  const { pathname, search } = new URL(url, location.href)
  const filled = Object.entries(headers).map(([name, value]) => [name, value.replace('$API_KEY', () => key)])
  const response = await fetch(pathname + search, {
    method,
    headers: Object.fromEntries(filled),
    credentials: 'omit',
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const { status } = response
  return { status, requestId: response.headers.get('x-request-id') ?? '', body: await response.text() }
}
