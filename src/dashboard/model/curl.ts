import type { TaskShape } from '../../control/shapes.js'

/** The wire format of {@link curlOf}; the journal has the exact requests in every format. */
export const CURL_DIALECT = 'tasks'

/** The command that creates an identical task. */
export function curlOf(
  base: string,
  { model, input, webhook_url: webhook }: Pick<TaskShape, 'model' | 'input' | 'webhook_url'>,
  key = 'sk_live_local',
): string {
  const body = JSON.stringify({ model, input, ...(webhook !== undefined && { webhook_url: webhook }) })
  return [
    `curl -s ${base}/api/v1/tasks \\`,
    `  -H 'Authorization: Bearer ${key}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d ${shellQuote(body)}`,
  ].join('\n')
}

/** The command that computes the signature of a webhook body. */
export function verifyCommand(bodyInBase64: string): string {
  return `printf %s ${shellQuote(bodyInBase64)} | base64 -d |\n  openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/^.* //'`
}

/** Quotes a text for the shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
