import type { ServiceRequestShape } from '../../control/shapes.js'
import { reasonIn, type SentRequest } from '../model/compose/order.js'
import { navigate } from './route.js'
import { control } from './session.js'

/** The journal has a request a moment after its answer. */
const ATTEMPTS = 20
const INTERVAL = 50

/**
 * Sends a request to the service, and opens the task that it creates.
 * @param key takes the place of `$API_KEY`
 * @param mayOpen whether to open the task; asked when the answer is there
 * @returns why there is no task to open; undefined if there is one
 */
export async function runRequest(
  request: ServiceRequestShape,
  key: string,
  mayOpen: () => boolean,
): Promise<SentRequest | undefined> {
  const reply = await sendToService(request, key).catch((error: unknown) => error)
  if (reply instanceof Error || !isReply(reply))
    return {
      state: 'unsent',
      reason: 'The connection ended without an answer. The Requests view says why.',
    }
  const entry = await entryOf(reply.requestId)
  const id = entry?.task_id
  if (id === undefined || !entry?.delivered || reply.status >= 400) {
    const reason = entry?.decided_by?.reason ?? reasonIn(reply.body)
    return { state: 'refused', status: reply.status, reason, requestId: reply.requestId }
  }
  if (mayOpen()) navigate({ view: 'tasks', id })
  return undefined
}

function isReply(value: unknown): value is ServiceReply {
  return typeof value === 'object' && value !== null && 'requestId' in value
}

async function entryOf(requestId: string) {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const entry = await control
      .peek()
      .journal.request(requestId)
      .catch(() => undefined)
    if (entry !== undefined) return entry
    await new Promise((resolve) => setTimeout(resolve, INTERVAL))
  }
  return undefined
}

/** The answer of the simulated service. */
interface ServiceReply {
  readonly status: number
  readonly requestId: string
  readonly body: string
}

/**
 * Sends a request to the simulated service, without the token of the page.
 * @param key takes the place of `$API_KEY` in the headers
 * @throws TypeError if there is no answer
 */
async function sendToService(
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
