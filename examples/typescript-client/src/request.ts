import { setTimeout as sleep } from 'node:timers/promises'

/** Where the service is, and how to wait for it. */
export interface Connection {
  readonly baseUrl: string
  readonly apiKey: string
  /** Waits so many milliseconds; a test turns its clock instead. */
  readonly wait?: (milliseconds: number) => Promise<unknown>
}

/** A refusal, with its status; or none, where no answer came. */
export class RequestError extends Error {
  override name = 'RequestError'
  readonly status: number | undefined
  /** What `Retry-After` says, in milliseconds. */
  readonly retryAfter: number | undefined

  constructor(message: string, status?: number, retryAfter?: number) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }

  /** Whether the same request may succeed later. */
  get mayPass(): boolean {
    const { status } = this
    return status === undefined || status === 408 || status === 429 || status >= 500
  }

  /** Whether the service has perhaps done what was asked for, though it did not say so. */
  get isUncertain(): boolean {
    return this.mayPass && this.status !== 429
  }
}

const LONGEST_ANSWER = 30_000

/** Sends one request, once. */
export async function send<Body>(
  { baseUrl, apiKey }: Connection,
  path: string,
  body?: object,
): Promise<Body> {
  const init: RequestInit = {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(LONGEST_ANSWER),
  }
  if (body !== undefined) init.body = JSON.stringify(body)
  try {
    const response = await fetch(`${baseUrl}${path}`, init)
    if (response.ok) return (await response.json()) as Body
    throw new RequestError(await reasonOf(response), response.status, retryAfterOf(response))
  } catch (error) {
    // No connection, no answer in time, or half of one.
    throw error instanceof RequestError ? error : new RequestError(`${path}: ${error}`)
  }
}

const MOST_TRIES = 8
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 30_000

/** Tries again what may pass, after `Retry-After` or a pause that doubles, a little shorter or longer each time. */
export async function persistently<Result>(
  { wait = sleep }: Connection,
  attempt: () => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof RequestError && error.mayPass) || tries === MOST_TRIES) throw error
      const pause = Math.min(FIRST_PAUSE * 2 ** (tries - 1), LONGEST_PAUSE)
      // Never earlier than asked; and clients that were refused together do not come back together.
      await wait((error.retryAfter ?? pause / 2) + (Math.random() * pause) / 2)
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

/** In seconds, or as a date. */
function retryAfterOf({ headers }: Response): number | undefined {
  const told = headers.get('retry-after')
  if (told === null) return undefined
  const milliseconds = /^\d+$/.test(told) ? Number(told) * 1_000 : Date.parse(told) - Date.now()
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds)
}
