import { type Awaitable, after } from '../../engine/awaitable.js'
import type { JsonValue } from '../../engine/json.js'
import { signPayload } from '../../engine/webhooks/signature.js'
import type { WebhookFormat, WebhookMessage } from '../../engine/webhooks/webhook-format.js'
import { templateReader } from './read-template.js'
import { STANDARD_WEBHOOKS } from './standard-webhooks.js'
import { compileTemplate, namesIn, type Values } from './template/compile.js'
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
  json: ({ message }) => parsed(decoder.decode(message.body)),
  signature: ({ signature }) => signature,
} satisfies Values<SignatureScope>

type Signer = Pick<WebhookFormat, 'sign' | 'messageIn' | 'signsTime' | 'malformed'>

const UNSIGNED: Signer = { sign: () => ({}), messageIn: () => undefined, signsTime: false, malformed: {} }

/** Returns how a service signs its webhooks. */
export function signerOf(signature: WebhookTable['signature']): Signer {
  if (signature === undefined) return UNSIGNED
  return signature === 'standard-webhooks' ? STANDARD_WEBHOOKS : templateSigner(signature)
}

type SignText = (text: string, secret: string, encoding: 'hex' | 'base64') => Awaitable<string>

const ALGORITHMS: Readonly<Record<NonNullable<SignatureTable['algorithm']>, SignText>> = {
  'hmac-sha256': (text, secret, encoding) => signPayload(text, secret, { encoding }),
  ed25519: async (text, secret, encoding) => {
    const { Ed25519Key } = await import('../../engine/webhooks/ed25519.js')
    return new Ed25519Key(secret).sign(text, encoding)
  },
}

function templateSigner({
  header,
  algorithm = 'hmac-sha256',
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
      return { id: values.get('id') ?? '', at: Number(values.get('time') ?? 0) * 1_000, body }
    },
    signsTime: namesIn(over).has('time'),
    malformed: { [header]: 'not-a-signature' },
  }
}

/** The value of a JSON text; undefined if it is none. */
function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
