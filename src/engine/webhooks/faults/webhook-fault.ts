import type { FieldChanges, JsonObject } from '../../json.js'
import type { Spread } from '../../scenario/delay.js'

/** The misbehavior of a webhook delivery. A missing field changes nothing. */
export interface WebhookFault {
  /** Sends the event twice: after the first delivery has ended, or at the same time. */
  readonly duplicate?: 'in_turn' | 'at_once' | undefined
  /** Delays the first attempt. */
  readonly delay?: Spread | undefined
  /**
   * Sends the event before the response to the create request, after a poll has shown the final state, or after an
   * attempt of the next event for the same receiver.
   */
  readonly timing?: 'before_response' | 'after_poll' | 'out_of_order' | undefined
  /** Never sends the event. */
  readonly lost?: boolean | undefined
  readonly body?: BodyFault | undefined
  /** What is wrong with the signature. */
  readonly signature?: SignatureFault | undefined
  /** Merged into the task in the body (RFC 7396), and signed: null removes a field. */
  readonly patch?: JsonObject | undefined
  /** Fields of the task in the body that are null, and signed; a field of a mapping has a dot before its name. */
  readonly nulls?: readonly string[] | undefined
  /** Changes of the task in the body, signed; only explorations have them. */
  readonly changes?: FieldChanges | undefined
  /**
   * The attempts with the fault of the body or the signature; by default `all` if a receiver must accept the body,
   * otherwise `first`.
   */
  readonly attempts?: 'first' | 'all' | undefined
}

/** Faults of the body. `truncated` and `changed` break the signature; the others are unusual, but correctly signed. */
export const BODY_FAULTS = ['truncated', 'changed', 'extra_field', 'spaced', 'reordered'] as const
export type BodyFault = (typeof BODY_FAULTS)[number]

/** Faults of the signature. `old_timestamp` is correct, but too old; it changes nothing if the signature has no time. */
export const SIGNATURE_FAULTS = [
  'wrong',
  'missing',
  'empty',
  'malformed',
  'previous_secret',
  'old_timestamp',
] as const
type SignatureFault = (typeof SIGNATURE_FAULTS)[number]

/** Named webhook faults. */
export const WEBHOOK_FAULT_WORDS = {
  duplicate: { duplicate: 'in_turn' },
  duplicate_at_once: { duplicate: 'at_once' },
  before_response: { timing: 'before_response' },
  after_poll: { timing: 'after_poll' },
  out_of_order: { timing: 'out_of_order' },
  lost: { lost: true },
  truncated: { body: 'truncated' },
  changed: { body: 'changed' },
  extra_field: { body: 'extra_field' },
  spaced: { body: 'spaced' },
  reordered: { body: 'reordered' },
  wrong_signature: { signature: 'wrong' },
  no_signature: { signature: 'missing' },
  empty_signature: { signature: 'empty' },
  malformed_signature: { signature: 'malformed' },
  previous_secret: { signature: 'previous_secret' },
  old_timestamp: { signature: 'old_timestamp' },
} as const satisfies Readonly<Record<string, WebhookFault>>

export type WebhookFaultWord = keyof typeof WEBHOOK_FAULT_WORDS

/** The forgeries that a receiver of signed webhooks must reject, by the words of their faults. */
export const FORGERIES = [
  'no_signature',
  'empty_signature',
  'malformed_signature',
  'wrong_signature',
  'old_timestamp',
  'changed',
  'truncated',
] as const satisfies readonly WebhookFaultWord[]

/** The webhook fault that a word names; undefined if no fault has this name. */
export function readWebhookFault(word: string): WebhookFault | undefined {
  return Object.hasOwn(WEBHOOK_FAULT_WORDS, word) ? WEBHOOK_FAULT_WORDS[word as WebhookFaultWord] : undefined
}

/**
 * Combines several webhook faults into one.
 * @returns an error message if two of them contradict each other
 */
export function combined(pieces: readonly WebhookFault[]): WebhookFault | string {
  const fault: Record<string, unknown> = {}
  for (const [part, value] of pieces.flatMap((piece) => Object.entries(piece))) {
    const before = fault[part]
    if (before !== undefined)
      return `\`${part}: ${value}\` cannot be combined with \`${part}: ${before}\`: give one of them`
    fault[part] = value
  }
  return contradictionIn(fault) ?? fault
}

/** The error message for fields that contradict each other; undefined if none do. */
export function contradictionIn(fault: WebhookFault): string | undefined {
  const given = Object.keys(fault)
  if (given.length === 0) return 'an empty webhook fault does nothing: give a `delay`, `duplicate` ...'
  const [other] = given.filter((name) => name !== 'lost')
  if (fault.lost && other !== undefined)
    return `\`${other}\` cannot be combined with \`lost\`: nothing is sent`
  if (fault.timing !== undefined && fault.delay !== undefined)
    return '`delay` cannot be combined with `timing`: give one of them'
  if (fault.attempts !== undefined && fault.signature === undefined && !changesBody(fault))
    return '`attempts` needs a `body`, a `patch`, `nulls` or a `signature`'
  return undefined
}

function changesBody({ body, patch, nulls }: WebhookFault): boolean {
  return body !== undefined || patch !== undefined || nulls !== undefined
}

/** What a service signs. */
interface Signed {
  /** Whether it signs its webhooks at all. */
  readonly isSigned: boolean
  /** Whether the signature covers the time. */
  readonly signsTime: boolean
}

/**
 * The flaw for which a receiver must reject an attempt with the fault; undefined if there is none.
 * @param signed a fault of what the service does not sign changes nothing
 */
export function flawOf(
  { body, signature }: WebhookFault,
  { isSigned, signsTime }: Signed,
): string | undefined {
  const isEffective = signature === 'old_timestamp' ? signsTime : isSigned
  return (isEffective ? signature : undefined) ?? (isDamage(body) ? body : undefined)
}

/** A body fault after which the signature no longer matches. */
export type Damage = Extract<BodyFault, 'truncated' | 'changed'>
/** A body fault that a correct receiver accepts: the signature matches the bytes. */
export type Unusual = Exclude<BodyFault, Damage>

/** Whether a body fault makes the signature wrong. */
export function isDamage(fault: BodyFault | undefined): fault is Damage {
  return fault === 'truncated' || fault === 'changed'
}

/** Whether a body fault writes the same event in other bytes, which are signed. */
export function isUnusual(fault: BodyFault | undefined): fault is Unusual {
  return fault !== undefined && !isDamage(fault)
}

/** How many deliveries of an event a receiver gets. */
export function deliveriesWith({ lost, duplicate }: WebhookFault = {}): number {
  if (lost) return 0
  return duplicate === undefined ? 1 : 2
}

/** Whether the attempt with this number, from 1, has the body or signature fault. */
export function affectsAttempt(fault: WebhookFault, number: number): boolean {
  const { body, signature, attempts } = fault
  const isAcceptable = changesBody(fault) && !isDamage(body) && signature === undefined
  return number === 1 || (attempts ?? (isAcceptable ? 'all' : 'first')) === 'all'
}
