import type { JsonObject, JsonValue } from '../json.js'
import { type SignatureFormat, signPayload } from './signature.js'
import type { BodyFault, WebhookFault } from './webhook-fault.js'

type Bytes = Uint8Array<ArrayBuffer>

/** What an attempt puts on the wire: the bytes, and the signature, where there is one. */
export interface Sealed {
  readonly body: Bytes
  readonly signature: string | undefined
}

/** What a body is signed with. */
export interface Seal {
  readonly secret: string
  readonly previousSecret: string
  readonly format: SignatureFormat
}

/** Signs a body as a receiver may rely on it. */
export function seal(body: Bytes, { secret, format }: Seal): Sealed {
  return { body, signature: signPayload(body, secret, format) }
}

/** Signs a body, and then applies the fault to both. */
export function tamper(body: Bytes, { body: change, signature }: WebhookFault, keys: Seal): Sealed {
  const signed = change === undefined || isDamage(change) ? body : unusual(body, change)
  const sent = change !== undefined && isDamage(change) ? damaged(body, change) : signed
  const right = signPayload(signed, keys.secret, keys.format)
  switch (signature) {
    case undefined:
      return { body: sent, signature: right }
    case 'missing':
      return { body: sent, signature: undefined }
    case 'empty':
      return { body: sent, signature: '' }
    case 'malformed':
      return { body: sent, signature: `${keys.format.prefix}not-a-signature` }
    case 'wrong':
      return { body: sent, signature: signPayload(signed, `not ${keys.secret}`, keys.format) }
    case 'previous_secret':
      return { body: sent, signature: signPayload(signed, keys.previousSecret, keys.format) }
  }
}

type Damage = Extract<BodyFault, 'truncated' | 'changed'>

function isDamage(change: BodyFault): change is Damage {
  return change === 'truncated' || change === 'changed'
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The bytes as they arrive where something has happened to them on the way. */
function damaged(body: Bytes, change: Damage): Bytes {
  if (change === 'truncated') return body.slice(0, Math.ceil(body.length / 2))
  const { event, task } = JSON.parse(decoder.decode(body))
  // The worst that a forger could say: a failure that was a success, or the other way round.
  const [other, status] =
    event === 'task.succeeded' ? ['task.failed', 'failed'] : ['task.succeeded', 'succeeded']
  return encoder.encode(JSON.stringify({ event: other, task: { ...task, status } }))
}

/** The same event in bytes that a sender may well choose. */
function unusual(body: Bytes, change: Exclude<BodyFault, Damage>): Bytes {
  const value: JsonObject = JSON.parse(decoder.decode(body))
  switch (change) {
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
