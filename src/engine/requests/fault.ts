import type { JsonObject } from '../json.js'
import type { Spread } from '../scenario/delay.js'

/** The damage to a response. A missing field changes nothing. */
export interface Fault {
  /** Answers with this status, 400 to 599, instead of running the operation. */
  readonly status?: number | undefined
  readonly code?: string | undefined
  readonly message?: string | undefined
  /** The wait in the Retry-After header, in milliseconds; the header contains seconds or a date. */
  readonly retry_after?: number | { readonly date: number } | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The delay before the first byte. */
  readonly delay?: Spread | undefined
  /** Resets the connection before any byte, in the middle of the headers, or after them. */
  readonly reset?: 'before' | 'during' | 'after' | undefined
  /** Closes the connection after this share of the body, 0 to 1. */
  readonly cut?: number | undefined
  /** Never answers. */
  readonly hang?: boolean | undefined
  readonly body?: 'empty' | 'invalid_json' | 'html' | 'duplicate_status' | undefined
  readonly content_type?: string | undefined
  readonly bytes_per_second?: number | undefined
  /** Shows the task as its client last saw it. */
  readonly stale?: boolean | undefined
  /** Merged into the task in the answer; null removes a field (RFC 7396). */
  readonly patch?: JsonObject | undefined
  /** Whether the operation runs although its answer is lost. */
  readonly executed?: boolean | undefined
}

/** The fault of one request of a sequence; `pass` for none. */
export type Step = Fault | 'pass'

/** Named faults. */
export const FAULT_WORDS = {
  pass: 'pass',
  reset: { reset: 'before' },
  lost: { reset: 'before', executed: true },
  hang: { hang: true },
  unanswered: { hang: true, executed: true },
  cut: { cut: 0.5 },
  empty: { body: 'empty' },
  invalid_json: { body: 'invalid_json' },
  html: { status: 502, body: 'html' },
  wrong_type: { content_type: 'text/plain' },
  stale: { stale: true },
} as const satisfies Readonly<Record<string, Step>>

/** The first and last status that a fault may answer with. */
export const FAULT_STATUSES = { min: 400, max: 599 } as const

/**
 * Reads a fault from its name or a status.
 * @returns undefined for any other text
 */
export function readStep(word: string): Step | undefined {
  if (Object.hasOwn(FAULT_WORDS, word)) return FAULT_WORDS[word as keyof typeof FAULT_WORDS]
  const status = /^\d{3}$/.test(word) ? Number(word) : 0
  return status >= FAULT_STATUSES.min && status <= FAULT_STATUSES.max ? { status } : undefined
}

/** Whether the operation runs: by default, if the client gets any part of its answer. */
export function isExecuted({ executed, status, reset, hang }: Fault): boolean {
  return executed ?? (status === undefined && reset !== 'before' && reset !== 'during' && hang !== true)
}
