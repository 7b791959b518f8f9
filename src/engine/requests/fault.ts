import type { Spread } from '../../scenario/model/delay.js'
import type { JsonObject } from '../json.js'

/** How a response is damaged: what is not given stays as it is. */
export interface Fault {
  /** Answers with this status, 400 to 599, in place of the operation. */
  readonly status?: number | undefined
  readonly code?: string | undefined
  readonly message?: string | undefined
  /** Milliseconds that Retry-After tells, in seconds or as a date. */
  readonly retry_after?: number | { readonly date: number } | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** How long the first byte is held back. */
  readonly delay?: Spread | undefined
  /** Ends the connection before any byte, in the middle of the headers, or after them. */
  readonly reset?: 'before' | 'during' | 'after' | undefined
  /** Ends the connection when this share of the body was sent, 0 to 1. */
  readonly cut?: number | undefined
  /** Never answers. */
  readonly hang?: boolean | undefined
  readonly body?: 'empty' | 'invalid_json' | 'html' | 'duplicate_status' | undefined
  readonly content_type?: string | undefined
  readonly bytes_per_second?: number | undefined
  /** Answers with what was said of the task last. */
  readonly stale?: boolean | undefined
  /** Merged into the task that is shown; null takes a field away (RFC 7396). */
  readonly patch?: JsonObject | undefined
  /** Whether the operation is carried out although its answer is lost. */
  readonly executed?: boolean | undefined
}

/** What happens to one request of a sequence. */
export type Step = Fault | 'pass'

/** The faults that have a name. */
export const FAULT_WORDS = {
  pass: 'pass',
  reset: { reset: 'before' },
  lost: { reset: 'before', executed: true },
  hang: { hang: true },
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
 * Reads a fault that is written as a word or a status.
 * @returns undefined where it is neither
 */
export function readStep(word: string): Step | undefined {
  if (Object.hasOwn(FAULT_WORDS, word)) return FAULT_WORDS[word as keyof typeof FAULT_WORDS]
  const status = /^\d{3}$/.test(word) ? Number(word) : 0
  return status >= FAULT_STATUSES.min && status <= FAULT_STATUSES.max ? { status } : undefined
}

/** Whether the operation runs at all: it does where a part of its own answer is sent, or where it is said. */
export function isExecuted({ executed, status, reset, hang }: Fault): boolean {
  return executed ?? (status === undefined && reset !== 'before' && reset !== 'during' && hang !== true)
}
