import { signPayload } from '../../engine/webhooks/signature.js'
import type { WebhookFormat, WebhookMessage } from '../../engine/webhooks/webhook-format.js'
import type { SignatureTable, WebhookTable } from './dialect-table.js'
import { templateReader } from './read-template.js'
import { STANDARD_WEBHOOKS } from './standard-webhooks.js'
import { compileTemplate, type Values } from './template/compile.js'

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
  signature: ({ signature }) => signature,
} satisfies Values<SignatureScope>

type Signer = Pick<WebhookFormat, 'sign' | 'messageIn' | 'malformed'>

const UNSIGNED: Signer = { sign: () => ({}), messageIn: () => undefined, malformed: {} }

/** Returns how a service signs its webhooks. */
export function signerOf(signature: WebhookTable['signature']): Signer {
  if (signature === undefined) return UNSIGNED
  return signature === 'standard-webhooks' ? STANDARD_WEBHOOKS : hmacSigner(signature)
}

function hmacSigner({
  header,
  over = '{{body}}',
  encoding = 'hex',
  value = '{{signature}}',
}: SignatureTable): Signer {
  const readText = compileTemplate<SignatureScope>(over, SIGNATURE_VALUES)
  const readValue = compileTemplate<SignatureScope>(value, SIGNATURE_VALUES)
  const findValues = templateReader(value)
  return {
    sign(message, secret) {
      const text = String(readText({ message }) ?? '')
      const signature = signPayload(text, secret, { encoding })
      return { [header]: String(readValue({ message, signature }) ?? '') }
    },
    messageIn(headers, body) {
      const values = findValues(headers[header.toLowerCase()] ?? '')
      return values && { id: values.get('id') ?? '', at: Number(values.get('time') ?? 0) * 1_000, body }
    },
    malformed: { [header]: 'not-a-signature' },
  }
}
