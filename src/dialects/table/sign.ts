import { signPayload } from '../../engine/webhooks/signature.js'
import type { WebhookFormat, WebhookMessage } from '../../engine/webhooks/webhook-format.js'
import { templateReader } from './read-template.js'
import { STANDARD_WEBHOOKS } from './standard-webhooks.js'
import { compileTemplate, type Values } from './template/compile.js'
import type { SignatureTable, WebhookTable } from './webhook-table.js'

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
  headers = {},
}: SignatureTable): Signer {
  const readText = compileTemplate<SignatureScope>(over, SIGNATURE_VALUES)
  const parts = Object.entries({ [header]: value, ...headers }).map(([name, template]) => ({
    name,
    read: compileTemplate<SignatureScope>(template, SIGNATURE_VALUES),
    find: templateReader(template),
  }))
  return {
    sign(message, secret) {
      const text = String(readText({ message }) ?? '')
      const signature = signPayload(text, secret, { encoding })
      return Object.fromEntries(
        parts.map(({ name, read }) => [name, String(read({ message, signature }) ?? '')]),
      )
    },
    messageIn(received, body) {
      const found = parts.map(({ name, find }) => {
        const text = received[name.toLowerCase()]
        return text === undefined ? undefined : find(text)
      })
      if (found.includes(undefined)) return undefined
      const values = new Map(found.flatMap((each) => [...(each ?? [])]))
      return { id: values.get('id') ?? '', at: Number(values.get('time') ?? 0) * 1_000, body }
    },
    malformed: { [header]: 'not-a-signature' },
  }
}
