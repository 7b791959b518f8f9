import type { Dialect } from '../../dialects/dialect.js'
import { type ListForm, readPage, type SeenPage } from '../../dialects/reading/list-pages.js'
import type { ServiceRequest } from '../../dialects/requests/service-request.js'
import { UsageError } from '../../engine/errors.js'
import { excerptOf, isJsonObject, type JsonObject, parseJson } from '../../engine/json.js'
import { isTemporary } from '../../engine/requests/statuses.js'
import { retryAfterOf } from '../../engine/webhooks/deliveries/retry-policy.js'

/** The network and the time. */
export interface Network {
  readonly fetch: typeof fetch
  /** Resolves after some milliseconds, or at once if the signal is aborted. */
  readonly wait: (milliseconds: number) => Promise<void>
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly signal: AbortSignal
  /** Called before the request is repeated, with the reason and the wait in milliseconds. */
  readonly onRetry: (reason: string, wait: number) => void
}

const MOST_TRIES = 8
const FIRST_WAIT = 1_000
const LONGEST_WAIT = 60_000
const LONGEST_MESSAGE = 200

/** Codes of errors that mean, before the first answer, that the URL is wrong. */
const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND']

/**
 * Requests the pages of a list one after the other. Repeats a request that was rejected with 429 or a status from 500 up,
 * or got no answer, after increasing delays, or later if `Retry-After` says so.
 * @param request the request for the first page
 * @throws UsageError if the service rejects a request, or does not answer
 */
export async function* fetchPages(
  dialect: Dialect,
  form: ListForm,
  request: ServiceRequest,
  network: Network,
): AsyncGenerator<SeenPage, void, void> {
  for (let next: ServiceRequest | undefined = request; next !== undefined; ) {
    const body = await fetchPage(next, network, next === request)
    if (network.signal.aborted) return
    const page: SeenPage = readPage(dialect, form, next, body)
    yield page
    next = page.next
  }
}

/** @param isFirst whether the service has not answered yet */
async function fetchPage(request: ServiceRequest, network: Network, isFirst: boolean): Promise<JsonObject> {
  for (let tries = 1; ; tries++) {
    const { body, problem: given, wait = 0, isUnreachable } = await tryPage(request, network)
    if (body !== undefined) return body
    if (network.signal.aborted) return {}
    const problem = withoutKey(given, request)
    if (isFirst && tries === 1 && isUnreachable) throw new UsageError(`${problem}. Check the URL.`)
    if (wait === 0 || tries === MOST_TRIES) throw new UsageError(problem)
    const longer = Math.max(wait, Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (tries - 1)))
    network.onRetry(problem, longer)
    await network.wait(longer)
  }
}

/** A service may repeat the key in its message. */
function withoutKey(text: string, { headers }: ServiceRequest): string {
  const keys = Object.values(headers).map((value) => value.replace(/^\w+ /, ''))
  return keys.filter((key) => key.length > 3).reduce((rest, key) => rest.replaceAll(key, '[API key]'), text)
}

interface Attempt {
  readonly body?: JsonObject
  readonly problem: string
  /** The minimum wait before another attempt, in milliseconds; undefined if another attempt is useless. */
  readonly wait?: number
  /** Whether there is no server at the address. */
  readonly isUnreachable?: boolean
}

async function tryPage({ url, headers }: ServiceRequest, network: Network): Promise<Attempt> {
  const { origin, pathname } = new URL(url)
  const request = `GET ${origin}${pathname}`
  try {
    const response = await network.fetch(url, { headers, signal: network.signal, redirect: 'error' })
    const text = await response.text()
    if (response.ok) return parsed(text, request)
    const problem = `${request} was rejected with ${response.status}: ${messageIn(text)}${adviceFor(response.status)}`
    const asked = retryAfterOf(Object.fromEntries(response.headers), network.now())
    return isTemporary(response.status) ? { problem, wait: Math.max(1, asked) } : { problem }
  } catch (error) {
    const { code } = Object((error as Error).cause)
    return {
      problem: `${request} got no answer: ${causeOf(error)}`,
      wait: 1,
      isUnreachable: UNREACHABLE.includes(code),
    }
  }
}

function parsed(text: string, request: string): Attempt {
  const problem = `${request} returned no list in JSON, but ${JSON.stringify(text.slice(0, LONGEST_MESSAGE))}. Check the URL and --dialect.`
  const body = parseJson(text)
  return isJsonObject(body) ? { body, problem } : { problem }
}

function messageIn(text: string): string {
  const body = parseJson(text)
  return body === undefined
    ? JSON.stringify(text.slice(0, LONGEST_MESSAGE))
    : excerptOf(body, LONGEST_MESSAGE)
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403) return '. Pass a valid API key with --key, or set TASKSIM_LEARN_KEY.'
  return status === 404 ? '. Check the base URL and --dialect.' : ''
}

function causeOf(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message} (${cause.message})` : message
}
