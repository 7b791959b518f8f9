import { setTimeout as sleep } from 'node:timers/promises'

/** The names of the mistakes that a client makes. */
export type Mistakes = ReadonlySet<string>

/** What came back. */
export interface Answer {
  /** 0 without an answer that can be read. */
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the API may answer anything
  readonly json: any
  /** What the answer says about the next attempt, in milliseconds. */
  readonly retryAfter: number
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly url: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A client reports this. */
export class Failure extends Error {
  override readonly name = 'Failure'
}

const TRIES = 8
const TIMEOUT = 60_000
const FIRST_WAIT = 1_000
const LONGEST_WAIT = 30_000

/** The requests of a client, with time limits and retries. */
export class Http {
  readonly mistakes: Mistakes
  readonly #headers: Readonly<Record<string, string>>

  constructor(mistakes: Mistakes, headers: Readonly<Record<string, string>>) {
    this.mistakes = mistakes
    this.#headers = headers
  }

  /** Sends a request once. It never rejects. */
  async once({ method = 'GET', url, body, headers = {} }: Call, timeout = TIMEOUT): Promise<Answer> {
    try {
      const response = await fetch(url, {
        method,
        headers: {
          ...this.#headers,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(!this.mistakes.has('no timeout') && { signal: AbortSignal.timeout(timeout) }),
      })
      const retryAfter = waitIn(response.headers.get('retry-after'))
      const text = await response.text()
      if (!response.ok) return { status: response.status, json: undefined, retryAfter }
      return { status: response.status, json: JSON.parse(text), retryAfter }
    } catch {
      return { status: 0, json: undefined, retryAfter: 0 }
    }
  }

  /** Sends a request that changes nothing until it is answered. @throws Failure if it is rejected, or after some attempts */
  async insist(call: Call): Promise<Answer['json']> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.once(call)
      if (answer.json !== undefined) return answer.json
      if (this.mistakes.has('never gives up')) await sleep(5_000)
      else await this.recover(answer, attempt)
    }
  }

  /** Waits before the next attempt. @throws Failure if there should be none */
  async recover({ status, retryAfter }: Answer, attempt: number): Promise<void> {
    if (!isPassing(status) && this.mistakes.has('repeats rejected requests')) return sleep(5_000)
    if (!isPassing(status)) throw new Failure(`The service rejects the request with ${status}.`)
    if (attempt >= (this.mistakes.has('no retry') ? 1 : TRIES))
      throw new Failure(`No usable answer after ${attempt} attempts, the last with ${status}.`)
    await sleep(Math.max(retryAfter, Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1))))
  }

  /** Downloads a file as a whole. @returns undefined if its URL has expired */
  async download(
    url: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Uint8Array | undefined> {
    for (let attempt = 1; ; attempt++) {
      let status = 0
      try {
        const isLimited = !this.mistakes.has('no timeout of downloads')
        const response = await fetch(url, {
          headers,
          ...(isLimited && { signal: AbortSignal.timeout(TIMEOUT) }),
        })
        status = response.status
        if (response.ok || this.mistakes.has('saves error pages')) {
          if (this.mistakes.has('saves parts')) return await partOf(response)
          return new Uint8Array(await response.arrayBuffer())
        }
      } catch {
        status = 0
      }
      if (status === 403 || status === 410) return undefined
      if (this.mistakes.has('skips missing files') && status === 404) return new Uint8Array()
      await this.recover(
        { status, json: undefined, retryAfter: 0 },
        this.mistakes.has('one download attempt') ? TRIES : attempt,
      )
    }
  }
}

/** Whether a later attempt may succeed. */
function isPassing(status: number): boolean {
  return status === 0 || status === 408 || status === 429 || status >= 500
}

/** Whether a request may have been executed. */
export function isAmbiguous({ status }: Answer): boolean {
  return status === 0 || status === 500 || status === 502 || status === 504 || (status >= 200 && status < 300)
}

function waitIn(text: string | null): number {
  if (text === null) return 0
  return Number(text) * 1_000 || Math.max(0, Date.parse(text) - Date.now()) || 0
}

async function partOf(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  try {
    for await (const part of response.body ?? []) parts.push(part)
  } catch {
    // The mistake: what arrived is taken for the file.
  }
  return parts[0] ?? new Uint8Array()
}
