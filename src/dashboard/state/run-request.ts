import type { RequestEntryShape, ServiceRequestShape } from '../../control/shapes.js'
import type { SentRequest } from '../model/compose/order.js'
import { navigate } from './route.js'
import { control } from './session.js'

/** The journal has a request a moment after its answer. */
const ATTEMPTS = 20
const INTERVAL = 50

/** The page shows so many characters of an answer that says why there is no task. */
const LONGEST_REASON = 400

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
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    value.replace('$API_KEY', () => key),
  ])
  const entry = await sendRequest({ ...request, headers: Object.fromEntries(headers) })
  if (entry === undefined || !entry.delivered)
    return {
      state: 'unsent',
      reason: 'The connection ended without an answer. The Requests view says why.',
    }
  const { id, task_id: task, status, decided_by: decision, response_body: body = '' } = entry
  if (task === undefined || status >= 400)
    return {
      state: 'refused',
      status,
      reason: decision?.reason ?? body.slice(0, LONGEST_REASON),
      requestId: id,
    }
  if (mayOpen()) navigate({ view: 'tasks', id: task })
  return undefined
}

/**
 * Sends a request to the simulated service, without the token of the page.
 * @param signal ends the wait for the answer
 * @returns what the journal says about it; undefined if it does not know it, such as after a reset
 */
export async function sendRequest(
  request: ServiceRequestShape,
  signal?: AbortSignal,
): Promise<RequestEntryShape | undefined> {
  const before = (await control.peek().journal.brief({ limit: 1 })).data[0]?.number ?? 0
  const id = await idOfAnswer(request, signal)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const known = id ?? (await idInJournal(request, before))
    const entry = await control
      .peek()
      .journal.request(known ?? '')
      .catch(() => undefined)
    if (entry !== undefined) return entry
    await new Promise((resolve) => setTimeout(resolve, INTERVAL))
  }
  return undefined
}

/** @returns the id in the answer; undefined if there is no answer, or if it is a redirect, which a page cannot read */
async function idOfAnswer(
  { method, url, headers, body, text }: ServiceRequestShape,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const { pathname, search } = new URL(url, location.href)
  const content = body === undefined ? text : JSON.stringify(body)
  try {
    const response = await fetch(pathname + search, {
      method,
      headers,
      credentials: 'omit',
      redirect: 'manual',
      ...(content !== undefined && { body: content }),
      ...(signal && { signal }),
    })
    await response.text().catch(() => {})
    return response.headers.get('x-request-id') ?? undefined
  } catch {
    return undefined
  }
}

/** The id of the latest request with the method and the path of one, after a number. */
async function idInJournal({ method, url }: ServiceRequestShape, after: number): Promise<string | undefined> {
  const { pathname } = new URL(url, location.href)
  const { data } = await control.peek().journal.brief({ limit: 50 })
  const isSame = (entry: RequestEntryShape) =>
    entry.number > after && entry.method === method && entry.path === pathname
  return data.find(isSame)?.id
}
