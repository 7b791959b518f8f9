import type { TaskShape } from '../../control/shapes.js'

/** The command that creates the same task again. */
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
    `  -d ${quoted(body)}`,
  ].join('\n')
}

/** The command that computes the signature of what was sent, to compare it with what came. */
export function verifyCommand(bodyInBase64: string): string {
  return `printf %s ${quoted(bodyInBase64)} | base64 -d |\n  openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/^.* //'`
}

/** A text as one word of a shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
