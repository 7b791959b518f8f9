import { isEqual } from '../../digest.js'
import { isJsonObject, type JsonObject, type JsonValue, merged, withFields } from '../../json.js'
import { type Damage, isDamage, isUnusual, type Unusual, type WebhookFault } from '../faults/webhook-fault.js'
import type { Addressee } from '../receivers/receiver.js'
import { isSigned, type WebhookFormat, type WebhookMessage } from '../webhook-format.js'

/** The age of the fault `old_timestamp`, in milliseconds: an hour. Services recommend to accept five minutes. */
export const AGE_OF_OLD = 3_600_000

type Bytes = Uint8Array<ArrayBuffer>
type Headers = Readonly<Record<string, string>>

/** The body of one attempt, and the headers that sign it. */
export interface SignedAttempt {
  readonly body: Bytes
  readonly headers: Headers
}

/** The format of a webhook, and the secrets of its receiver. */
export interface SigningKeys {
  readonly format: WebhookFormat
  readonly secret: string
  readonly previousSecret: string
  /** A second secret that is also valid, during a rotation. */
  readonly otherSecret?: string | undefined
}

/** Signs a webhook, and applies the body and signature faults of a webhook fault. */
export async function signAttempt(
  given: WebhookMessage,
  keys: SigningKeys,
  fault: WebhookFault = {},
): Promise<SignedAttempt> {
  const message = { ...given, body: withContent(given, fault) }
  const signed = isUnusual(fault.body) ? { ...message, body: rewrite(message.body, fault.body) } : message
  const body = isDamage(fault.body) ? damage(message.body, fault.body, keys.format) : signed.body
  return { body, headers: await signatureOf(signed, keys, fault.signature) }
}

/** A fault changes nothing but the signature: a receiver must not reject a forgery for another reason. */
async function signatureOf(
  message: WebhookMessage,
  { format, secret, previousSecret, otherSecret }: SigningKeys,
  fault: WebhookFault['signature'],
): Promise<Headers> {
  const { malformed } = format
  switch (fault) {
    case undefined:
      return format.sign(message, secret, otherSecret)
    case 'missing': {
      const signed = Object.entries(await format.sign(message, secret))
      return Object.fromEntries(signed.filter(([name]) => malformed[name] === undefined))
    }
    case 'empty': {
      const empty = Object.fromEntries(Object.keys(malformed).map((name) => [name, '']))
      return { ...(await format.sign(message, secret)), ...empty }
    }
    case 'malformed':
      return { ...(await format.sign(message, secret)), ...malformed }
    case 'wrong':
      return format.sign(message, `not ${secret}`)
    case 'previous_secret':
      return format.sign(message, previousSecret)
    case 'old_timestamp':
      return format.sign({ ...message, at: message.at - AGE_OF_OLD }, secret)
  }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

function damage(body: Bytes, fault: Damage, format: WebhookFormat): Bytes {
  if (fault === 'truncated') return body.slice(0, Math.ceil(body.length / 2))
  const forged = format.forge(body)
  if (decoder.decode(forged) !== decoder.decode(body)) return forged
  return encoder.encode(JSON.stringify({ ...JSON.parse(decoder.decode(body)), forged: true }))
}

/**
 * The body with the changes of a fault to the task in it: the object with its id or, if no object has it, the whole
 * body.
 */
function withContent({ body, task = '' }: WebhookMessage, fault: WebhookFault): Bytes {
  const { patch = {}, nulls = [], changes = {} } = fault
  if ([patch, nulls, changes].every((each) => Object.keys(each).length === 0)) return body
  const value: JsonObject = JSON.parse(decoder.decode(body))
  const change = (shown: JsonObject) => withFields(withNulls(merged(shown, patch), treeOf(nulls)), changes)
  return encoder.encode(JSON.stringify(changedIn(value, task, change) ?? change(value)))
}

function changedIn(
  value: JsonValue,
  task: string,
  change: (shown: JsonObject) => JsonValue,
): JsonValue | undefined {
  if (!isJsonObject(value)) return undefined
  if (Object.values(value).includes(task)) return change(value)
  for (const [name, inner] of Object.entries(value)) {
    const changed = changedIn(inner, task, change)
    if (changed !== undefined) return { ...value, [name]: changed }
  }
  return undefined
}

/** Fields that become null, or whose fields do. */
interface NullFields extends ReadonlyMap<string, NullFields> {}

/** @param paths names of fields; that of a field in a mapping has a dot before its name */
function treeOf(paths: readonly string[]): NullFields {
  interface Tree extends Map<string, Tree> {}
  const tree: Tree = new Map()
  for (const path of paths) {
    let fields = tree
    for (const name of path.split('.')) {
      const inner = fields.get(name) ?? new Map()
      fields.set(name, inner)
      fields = inner
    }
  }
  return tree
}

function withNulls(value: JsonValue, nulls: NullFields): JsonObject {
  const fields = new Map(Object.entries(isJsonObject(value) ? value : {}))
  for (const [name, inner] of nulls)
    fields.set(name, inner.size === 0 ? null : withNulls(fields.get(name) ?? null, inner))
  return Object.fromEntries(fields)
}

/** The name of a field that a body lacks. */
function newNameIn(body: JsonObject): string {
  return Object.hasOwn(body, 'api_version') ? 'schema_version' : 'api_version'
}

/** Writes the same event in other bytes. */
function rewrite(body: Bytes, fault: Unusual): Bytes {
  const value: JsonObject = JSON.parse(decoder.decode(body))
  switch (fault) {
    case 'extra_field':
      return encoder.encode(JSON.stringify({ ...value, [newNameIn(value)]: '2099-01-01' }))
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

/**
 * The secrets with which a webhook to a receiver is signed. During a rotation there are two, and the previous secret of
 * faults is another one, because a receiver accepts both.
 */
export function signingKeys(receiver: Addressee, format: WebhookFormat, now: number): SigningKeys {
  const { secret = format.secret, previousSecret = format.previousSecret, registration } = receiver
  const isRotated = registration?.previousUntil !== undefined && now < registration.previousUntil
  if (!isRotated) return { format, secret, previousSecret }
  return { format, secret, previousSecret: format.previousSecret, otherSecret: previousSecret }
}

/** The result of verifying a webhook; `unsigned` if its service signs none. */
export type SignatureCheck = 'right' | 'wrong' | 'missing' | 'unsigned'

/**
 * Verifies the signature of a received webhook: signs it again and compares.
 * @param headers by lower-case name
 */
export async function verifyWebhook(
  format: WebhookFormat,
  { headers, body }: { headers: Readonly<Record<string, string>>; body: Uint8Array<ArrayBuffer> },
  secret: string,
): Promise<SignatureCheck> {
  if (!isSigned(format)) return 'unsigned'
  const names = Object.keys(format.malformed).map((name) => name.toLowerCase())
  if (names.some((name) => headers[name] === undefined)) return 'missing'
  const message = format.messageIn(headers, body)
  if (message === undefined) return 'wrong'
  const signed = Object.entries(await format.sign(message, secret))
  return signed.every(([name, value]) => hasValue(headers[name.toLowerCase()] ?? '', value))
    ? 'right'
    : 'wrong'
}

/** Whether a header has a value. During a rotation of secrets, a header has several signatures, separated by spaces. */
function hasValue(header: string, value: string): boolean {
  return isEqual(header, value) || header.split(' ').some((each) => isEqual(each, value))
}
