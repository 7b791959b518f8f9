import { isSecretName, wordsOf } from '../../../engine/webhooks/receivers/mask-url.js'

/** Parameters of signed URLs of S3, Google Cloud Storage, CloudFront, Azure and other hosts of files. */
const SIGNED =
  /^(?:x-(?:amz|goog)-.*|s[epvrt]|sk(?:e|oid|s|t|tid|v)|spr|sip|expires?|expiry|policy|awsaccesskeyid|googleaccessid|hdnt[sa]|hdnea|md5|hash|verify)$/i
/** Cursors are not secret, although services call them tokens. */
const CURSOR = /(?:page|continuation|next|sync|cursor)[-_]?token$/i

/** Whether a query parameter is a secret or a part of a signature, by its name. */
export function isSecretParameter(name: string): boolean {
  return !CURSOR.test(name) && (SIGNED.test(name) || isSecretName(name))
}

/** A field whose name contains one of these is a secret; `tokens` and `tokenizer` are not. */
const PARTS =
  /token(?!s|iz)|secret|passw|passphrase|signature|credential|apikey|accesskey|privatekey|signingkey|authorization|cookie/
const WORDS = new Set(['auth', 'pwd', 'jwt', 'hmac', 'bearer', 'sig'])

/** The fields of a form for an upload to S3 or Google Cloud Storage. */
const UPLOAD = /^x-(?:amz|goog)-/i
const ENCODED_POLICY = /^[\w+/=-]{40,}$/

/** Whether a field of a body is a secret, by its name. */
export function isSecretField(name: string, value?: unknown): boolean {
  if (CURSOR.test(name)) return false
  if (UPLOAD.test(name)) return true
  if (name.toLowerCase() === 'policy') return typeof value === 'string' && ENCODED_POLICY.test(value)
  return (
    PARTS.test(name.toLowerCase().replace(/[^a-z]/g, '')) || wordsOf(name).some((word) => WORDS.has(word))
  )
}

/** Whether a header holds a secret, by its name. */
export function isSecretHeader(name: string): boolean {
  return isSecretField(name) || isSecretName(name)
}
