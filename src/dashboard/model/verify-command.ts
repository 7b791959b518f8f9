import { shellQuote } from '../../client/curl.js'

/** The command that computes the signature of a webhook body. */
export function verifyCommand(bodyInBase64: string): string {
  return `printf %s ${shellQuote(bodyInBase64)} | base64 -d |\n  openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/^.* //'`
}
