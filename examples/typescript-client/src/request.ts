import { setTimeout as sleep } from 'node:timers/promises'

/** The address of the service, the API key, and how to wait. */
export interface Connection {
  readonly baseUrl: string
  readonly apiKey: string
  /** Waits for a number of milliseconds. Tests advance their clock instead. */
  readonly wait?: (milliseconds: number) => Promise<unknown>
}

/** A failed request, with its status unless there was no response. */
export class RequestError extends Error {
  override name = 'RequestError'
  readonly status: number | undefined
  /** The `Retry-After` header, in milliseconds. */
  readonly retryAfter: number | undefined

  constructor(message: string, status?: number, retryAfter?: number) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }

  /** Whether the same request may succeed later. */
  get isRetryable(): boolean {
    const { status } = this
    return status === undefined || status === 408 || status === 429 || status >= 500
  }

  /** Whether the service may have executed the request despite the error. */
  get isUncertain(): boolean {
    return this.isRetryable && this.status !== 429
  }
}

const REQUEST_TIMEOUT = 30_000

/** Sends a request once, without retries. */
export async function send<Body>(
  { baseUrl, apiKey }: Connection,
  path: string,
  body?: object,
): Promise<Body> {
  const init: RequestInit = {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT),
  }
  if (body !== undefined) init.body = JSON.stringify(body)
  try {
    const response = await fetch(`${baseUrl}${path}`, init)
    if (response.ok) return (await response.json()) as Body
    throw new RequestError(await reasonOf(response), response.status, retryAfterOf(response))
  } catch (error) {
    // No connection, a timeout or an incomplete response.
    throw error instanceof RequestError ? error : new RequestError(`${path}: ${error}`)
  }
}

const MAX_ATTEMPTS = 8
const FIRST_DELAY = 1_000
const MAX_DELAY = 30_000

/** Retries temporary errors after `Retry-After`, or after a delay that doubles each time, with random variation. */
export async function withRetries<Result>(
  { wait = sleep }: Connection,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof RequestError && error.isRetryable) || attempts === MAX_ATTEMPTS) throw error
      const delay = Math.min(FIRST_DELAY * 2 ** (attempts - 1), MAX_DELAY)
      // Wait at least as long as Retry-After. The random part spreads the retries of clients that were rejected together.
      await wait((error.retryAfter ?? delay / 2) + (Math.random() * delay) / 2)
    }
  }
}

async function reasonOf(response: Response): Promise<string> {
  const text = await response.text()
  try {
    return JSON.parse(text).error.message
  } catch {
    return `${response.status} ${response.statusText}`
  }
}

/** Parses `Retry-After`, which contains seconds or a date. */
function retryAfterOf({ headers }: Response): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds)
}
