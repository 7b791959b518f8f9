import { toBase64 } from '../../../engine/base64.js'
import { Hmac } from '../../../engine/sha256.js'
import type { WebhookFormat } from '../../../engine/webhooks/webhook-format.js'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * Signs webhooks as Standard Webhooks 1.0 describes.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export const STANDARD_WEBHOOKS: Pick<WebhookFormat, 'sign' | 'messageIn' | 'signsTime' | 'malformed'> = {
  sign({ id, at, body }, secret, otherSecret) {
    const time = String(Math.floor(at / 1_000))
    const text = `${id}.${time}.${decoder.decode(body)}`
    const secrets = otherSecret === undefined ? [secret] : [secret, otherSecret]
    return {
      'webhook-id': id,
      'webhook-timestamp': time,
      'webhook-signature': secrets.map((each) => signatureOf(text, each)).join(' '),
    }
  },
  messageIn: (headers, body) => ({
    id: headers['webhook-id'] ?? '',
    at: Number(headers['webhook-timestamp']) * 1_000,
    body,
  }),
  signsTime: true,
  malformed: { 'webhook-signature': 'not-a-signature' },
}

function signatureOf(text: string, secret: string): string {
  return `v1,${toBase64(new Hmac(keyIn(secret)).digest(text))}`
}

/** The key of a secret: the base64 after `whsec_`, or the text itself if it is not base64. */
function keyIn(secret: string): Uint8Array {
  try {
    return Uint8Array.from(atob(secret.replace(/^whsec_/, '')), (character) => character.charCodeAt(0))
  } catch {
    return encoder.encode(secret)
  }
}
