import type { JsonObject, JsonValue } from '../json.js'
import { type SignatureFormat, signPayload } from './signature.js'
import type { BodyFault, WebhookFault } from './webhook-fault.js'

type Bytes = Uint8Array<ArrayBuffer>

/** The body and the signature of one attempt. */
export interface SignedBody {
  readonly body: Bytes
  /** The value of the signature header; undefined to omit the header. */
  readonly signature: string | undefined
}

/** The secrets with which bodies are signed, and the format of the signature. */
export interface SigningKeys {
  readonly secret: string
  readonly previousSecret: string
  readonly format: SignatureFormat
}

/** Signs a body, and applies the body and signature faults of a webhook fault. */
export function signBody(body: Bytes, keys: SigningKeys, fault: WebhookFault = {}): SignedBody {
  const signed = isUnusual(fault.body) ? rewrite(body, fault.body) : body
  const sent = isDamage(fault.body) ? damage(body, fault.body) : signed
  return { body: sent, signature: signatureOf(signed, keys, fault.signature) }
}

function signatureOf(
  body: Bytes,
  { secret, previousSecret, format }: SigningKeys,
  fault: WebhookFault['signature'],
): string | undefined {
  switch (fault) {
    case undefined:
      return signPayload(body, secret, format)
    case 'missing':
      return undefined
    case 'empty':
      return ''
    case 'malformed':
      return `${format.prefix}not-a-signature`
    case 'wrong':
      return signPayload(body, `not ${secret}`, format)
    case 'previous_secret':
      return signPayload(body, previousSecret, format)
  }
}

/** A body fault after which the signature no longer matches. */
type Damage = Extract<BodyFault, 'truncated' | 'changed'>
/** A body fault that a correct receiver accepts: the signature matches the bytes. */
type Unusual = Exclude<BodyFault, Damage>

function isDamage(fault: BodyFault | undefined): fault is Damage {
  return fault === 'truncated' || fault === 'changed'
}

function isUnusual(fault: BodyFault | undefined): fault is Unusual {
  return fault !== undefined && !isDamage(fault)
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function damage(body: Bytes, fault: Damage): Bytes {
  if (fault === 'truncated') return body.slice(0, Math.ceil(body.length / 2))
  const { event, task } = JSON.parse(decoder.decode(body))
  // The most harmful forgery: a success that becomes a failure, or vice versa.
  const [other, status] =
    event === 'task.succeeded' ? ['task.failed', 'failed'] : ['task.succeeded', 'succeeded']
  return encoder.encode(JSON.stringify({ event: other, task: { ...task, status } }))
}

/** Writes the same event in other bytes. */
function rewrite(body: Bytes, fault: Unusual): Bytes {
  const value: JsonObject = JSON.parse(decoder.decode(body))
  switch (fault) {
    case 'extra_field':
      return encoder.encode(JSON.stringify({ ...value, api_version: '2099-01-01' }))
    case 'spaced':
      return encoder.encode(`${JSON.stringify(value, null, 2)}\n`)
    case 'reordered':
      return encoder.encode(JSON.stringify(reversed(value)))
  }
}

function reversed(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(reversed)
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  )
}
