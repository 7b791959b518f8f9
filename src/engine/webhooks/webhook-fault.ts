import type { Spread } from '../../scenario/model/delay.js'

/** How a webhook is mistreated: what is not given is as it should be. */
export interface WebhookFault {
  /** The same event twice: again when the first has ended, or both at the same time. */
  readonly duplicate?: 'in_turn' | 'at_once' | undefined
  /** How long it is held back. */
  readonly delay?: Spread | undefined
  /**
   * Sent before the create request is answered, or when a poller has seen the final state, or after the event
   * that comes next for this receiver.
   */
  readonly timing?: 'before_response' | 'after_poll' | 'out_of_order' | undefined
  /** Never sent. */
  readonly lost?: boolean | undefined
  readonly body?: BodyFault | undefined
  readonly signature?: SignatureFault | undefined
  /** Which attempts have a wrong body or signature: the first one, unless the body is merely unusual, or all. */
  readonly attempts?: 'first' | 'all' | undefined
}

/** What is done to the bytes. Those that are merely unusual are signed as they are; the others no longer match. */
export const BODY_FAULTS = ['truncated', 'changed', 'extra_field', 'spaced', 'reordered'] as const
export type BodyFault = (typeof BODY_FAULTS)[number]

export const SIGNATURE_FAULTS = ['wrong', 'missing', 'empty', 'malformed', 'previous_secret'] as const
type SignatureFault = (typeof SIGNATURE_FAULTS)[number]

/** The webhook faults that have a word of their own. */
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
} as const satisfies Readonly<Record<string, WebhookFault>>

export type WebhookFaultWord = keyof typeof WEBHOOK_FAULT_WORDS

/** The webhook fault that a word names; undefined if no fault has this name. */
export function readWebhookFault(word: string): WebhookFault | undefined {
  return Object.hasOwn(WEBHOOK_FAULT_WORDS, word) ? WEBHOOK_FAULT_WORDS[word as WebhookFaultWord] : undefined
}

/**
 * Combines several webhook faults into one.
 * @returns why they cannot go together, where two of them want the same part to be otherwise
 */
export function combined(pieces: readonly WebhookFault[]): WebhookFault | string {
  const fault: Record<string, unknown> = {}
  for (const [part, value] of pieces.flatMap((piece) => Object.entries(piece))) {
    const before = fault[part]
    if (before !== undefined)
      return `\`${part}: ${value}\` cannot go with \`${part}: ${before}\`: give one of them`
    fault[part] = value
  }
  return contradictionIn(fault) ?? fault
}

/** What of it cannot go together, said as a person would. */
export function contradictionIn(fault: WebhookFault): string | undefined {
  const given = Object.keys(fault)
  if (given.length === 0) return 'a webhook fault with no field does nothing: give a `delay`, `duplicate` ...'
  const [other] = given.filter((name) => name !== 'lost')
  if (fault.lost && other !== undefined) return `\`${other}\` cannot go with \`lost\`: nothing is sent`
  if (fault.timing !== undefined && fault.delay !== undefined)
    return '`delay` cannot go with `timing`: give one of them'
  if (fault.attempts !== undefined && fault.body === undefined && fault.signature === undefined)
    return '`attempts` needs a `body` or a `signature`'
  return undefined
}

/** What a receiver must not accept about an attempt with the fault, if anything. */
export function flawOf({ body, signature }: WebhookFault): string | undefined {
  return signature ?? (body === 'truncated' || body === 'changed' ? body : undefined)
}

/** Whether the attempt with this number, from 1, has the wrong body or signature. */
export function isDamaged({ body, attempts }: WebhookFault, number: number): boolean {
  const isUnusual = body === 'extra_field' || body === 'spaced' || body === 'reordered'
  return number === 1 || (attempts ?? (isUnusual ? 'all' : 'first')) === 'all'
}
