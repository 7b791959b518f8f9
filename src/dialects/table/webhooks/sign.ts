import { type Awaitable, after } from '../../../engine/awaitable.js'
import { fromBase64 } from '../../../engine/base64.js'
import { isJsonObject, type JsonObject, parseJson } from '../../../engine/json.js'
import { signPayload } from '../../../engine/webhooks/signing/signature.js'
import type { WebhookFormat, WebhookMessage } from '../../../engine/webhooks/webhook-format.js'
import type { DialectSignature, DialectWebhook } from '../dialect-table.generated.js'
import { compileTemplate, namesIn, type Read, type Values } from '../template/compile.js'
import { templateReader } from '../template/read-text.js'
import { STANDARD_WEBHOOKS } from './standard-webhooks.js'

const decoder = new TextDecoder()

interface SignatureScope {
  readonly message: WebhookMessage
  /** Undefined in the signed text. */
  readonly signature?: string
}

/** The values in the templates of signatures. */
export const SIGNATURE_VALUES = {
  id: ({ message }) => message.id,
  time: ({ message }) => Math.floor(message.at / 1_000),
  body: ({ message }) => decoder.decode(message.body),
  json: ({ message }) => parseJson(decoder.decode(message.body)),
  url: ({ message }) => message.url,
  signature: ({ signature }) => signature,
} satisfies Values<SignatureScope>

type Signer = Pick<WebhookFormat, 'sign' | 'messageIn' | 'signsTime' | 'malformed'>

const UNSIGNED: Signer = { sign: () => ({}), messageIn: () => undefined, signsTime: false, malformed: {} }

/** Returns how a service signs its webhooks; those to receivers that a request names perhaps in another way. */
export function webhookSigner({
  signature,
  request_signature: ofRequests,
}: Pick<DialectWebhook, 'signature' | 'request_signature'>): Signer {
  const usual = signerOf(signature)
  if (ofRequests === undefined) return usual
  const own = signerOf(ofRequests)
  return {
    sign: (message, ...secrets) => (message.isOwn ? own : usual).sign(message, ...secrets),
    messageIn(received, body) {
      const message = own.messageIn(received, body)
      return message === undefined ? usual.messageIn(received, body) : { ...message, isOwn: true }
    },
    signsTime: usual.signsTime || own.signsTime,
    malformed: signature === undefined ? own.malformed : usual.malformed,
  }
}

/** Returns how a signature is written. */
export function signerOf(signature: DialectWebhook['signature']): Signer {
  if (signature === undefined) return UNSIGNED
  return signature === 'standard-webhooks' ? STANDARD_WEBHOOKS : templateSigner(signature)
}

type SignText = (text: string, secret: string, encoding: 'hex' | 'base64') => Awaitable<string>

const ALGORITHMS: Readonly<Record<NonNullable<DialectSignature['algorithm']>, SignText>> = {
  'hmac-sha256': (text, secret, encoding) => signPayload(text, secret, { encoding }),
  secret: (_, secret) => secret,
  ed25519: async (text, secret, encoding) => {
    const { Ed25519Key } = await import('../../../engine/webhooks/signing/ed25519.js')
    return new Ed25519Key(secret).sign(text, encoding)
  },
  'rs256-jwt': async (claims, secret) => {
    const { RsaKey } = await import('../../../engine/webhooks/signing/rsa-key.js')
    return new RsaKey(secret).token(claims)
  },
}

const PLACEHOLDER = '{{signature}}'

function templateSigner({
  header,
  algorithm = 'hmac-sha256',
  over = '{{body}}',
  encoding = 'hex',
  value = PLACEHOLDER,
  headers = {},
  claims,
}: DialectSignature): Signer {
  const isToken = algorithm === 'rs256-jwt'
  const readText = isToken ? claimsWriter(claims) : compileTemplate<SignatureScope>(over, SIGNATURE_VALUES)
  const parts = Object.entries({ [header]: value, ...headers }).map(([name, template]) => ({
    name,
    read: compileTemplate<SignatureScope>(template, SIGNATURE_VALUES),
    find: templateReader(template),
  }))
  return {
    sign(message, secret) {
      const text = String(readText({ message }) ?? '')
      return after(ALGORITHMS[algorithm](text, secret, encoding), (signature) =>
        Object.fromEntries(parts.map(({ name, read }) => [name, String(read({ message, signature }) ?? '')])),
      )
    },
    messageIn(received, body) {
      const found = parts.map(({ name, find }) => {
        const text = received[name.toLowerCase()]
        return text === undefined ? undefined : find(text)
      })
      if (found.includes(undefined)) return undefined
      const values = new Map(found.flatMap((each) => [...(each ?? [])]))
      const signed = isToken ? valuesIn(claims, values.get('signature') ?? '') : values
      if (signed === undefined) return undefined
      const find = (name: string) => values.get(name) ?? signed.get(name)
      return { id: find('id') ?? '', at: Number(find('time') ?? 0) * 1_000, url: find('url'), body }
    },
    signsTime: namesIn(isToken ? (claims ?? {}) : over).has('time'),
    malformed: { [header]: `${prefixOf(value)}not-a-signature` },
  }
}

/** The constant text before the signature, such as `sha256=`; empty if the header has other values. */
function prefixOf(value: string): string {
  const prefix = value.endsWith(PLACEHOLDER) ? value.slice(0, -PLACEHOLDER.length) : ''
  return prefix.includes('{{') ? '' : prefix
}

/** Writes the claims of a token. */
function claimsWriter(claims: JsonObject = {}): Read<SignatureScope> {
  const read = compileTemplate<SignatureScope>(claims, SIGNATURE_VALUES)
  return (scope) => JSON.stringify(read(scope) ?? {})
}

/** The values of placeholders in the claims of a token; undefined if the string is not a token. */
function valuesIn(claims: JsonObject = {}, token: string): ReadonlyMap<string, string> | undefined {
  const found = claimsIn(token)
  if (found === undefined) return undefined
  const values = Object.entries(claims).flatMap(([name, template]) => {
    const value = found[name]
    if (typeof template !== 'string' || value === undefined) return []
    return [...(templateReader(template)(String(value)) ?? [])]
  })
  return new Map(values)
}

/** The claims in a JSON Web Token; undefined if it is none. */
export function claimsIn(token: string): JsonObject | undefined {
  const [, payload, signature] = token.split('.')
  if (payload === undefined || signature === undefined) return undefined
  const bytes = fromBase64(payload.replace(/-/g, '+').replace(/_/g, '/'))
  const claims = parseJson(new TextDecoder().decode(bytes))
  return isJsonObject(claims) ? claims : undefined
}
