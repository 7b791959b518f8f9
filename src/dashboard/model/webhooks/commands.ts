import { shellQuote, shellWord } from '../../../control/code/curl.js'

/** How to verify the signature of a webhook in a shell. */
export interface Verification {
  /** The header with the signature. */
  readonly header: string
  readonly value: string
  /** What the signature is, for a sentence. */
  readonly meaning: string
  readonly command: string
}

interface SentWebhook {
  readonly headers: Readonly<Record<string, string>>
  readonly body_base64: string
}

/** Returns undefined for signatures that `openssl dgst` cannot compute, such as those with a private key. */
export function verificationOf({ headers, body_base64: body }: SentWebhook): Verification | undefined {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase().includes('signature'))
  if (found === undefined) return undefined
  const [header, value] = found
  const { 'webhook-id': id, 'webhook-timestamp': time } = headers
  if (value.startsWith('v1,') && id !== undefined && time !== undefined)
    return {
      header,
      value,
      meaning: 'a signature of Standard Webhooks, with the base64 after `whsec_` as the key',
      command: standardCommand(`${id}.${time}.`, body),
    }
  return /^[0-9a-f]{64}$/.test(value)
    ? {
        header,
        value,
        meaning: 'the HMAC-SHA256 of the raw body, keyed with the whole secret',
        command: plainCommand(body),
      }
    : undefined
}

function plainCommand(body: string): string {
  return `printf %s ${shellQuote(body)} | base64 -d |\n  openssl dgst -sha256 -hmac "$WEBHOOK_SECRET" | sed 's/^.* //'`
}

function standardCommand(start: string, body: string): string {
  const key = `$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')`
  return [
    `{ printf %s ${shellQuote(start)}; printf %s ${shellQuote(body)} | base64 -d; } |`,
    `  openssl dgst -sha256 -mac HMAC -macopt "hexkey:${key}" -binary | base64 | sed 's/^/v1,/'`,
  ].join('\n')
}

/** What a signing secret depends on. */
interface SecretPlace {
  /** The name of the active scenario: a shipped one, or the path of a file. */
  readonly scenario: string
  /** The wire format of the webhook. */
  readonly dialect: string
  /** The URL of the receiver, which may have its own secret; secrets in it are masked. */
  readonly receiver?: string | undefined
}

/**
 * The command that prints the secret of a webhook, because the server masks secrets.
 * @returns undefined if the scenario has no name that the command line knows
 */
export function secretCommand({ scenario, dialect, receiver }: SecretPlace): string | undefined {
  // A scenario that was applied as text or as an object has no file.
  if (scenario === 'inline') return undefined
  const words = [
    ...(scenario === 'default' ? [] : [scenario]),
    ...(dialect === 'tasks' ? [] : ['--dialect', dialect]),
    ...(receiver === undefined ? [] : ['--receiver', receiver]),
  ]
  return ['npx tasksim secret', ...words.map(shellWord)].join(' ')
}
