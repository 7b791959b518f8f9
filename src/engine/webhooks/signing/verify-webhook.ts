import { isEqual } from '../../is-equal.js'
import { isSigned, type WebhookFormat } from '../webhook-format.js'

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
  return signed.every(([name, value]) => holds(headers[name.toLowerCase()] ?? '', value)) ? 'right' : 'wrong'
}

/** Whether a header has a value. During a rotation of secrets, a header has several signatures, separated by spaces. */
function holds(header: string, value: string): boolean {
  return isEqual(header, value) || header.split(' ').some((each) => isEqual(each, value))
}
