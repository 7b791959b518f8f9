import { isSigned, type WebhookFormat } from '../../engine/webhooks/webhook-format.js'
import { CommandLineError } from '../errors.js'

type Headers = Readonly<Record<string, string>>

/** A header with a fixed key, which the receiver checks. */
export interface AuthHeader {
  readonly name: string
  readonly value: string
}

/**
 * Reads a header in the form `NAME: VALUE`.
 * @throws UsageError if it has another form
 */
export function readAuthHeader(text: string): AuthHeader {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([!-~](?:[ -~]*[!-~])?)$/.exec(text) ?? []
  if (name !== undefined && value !== undefined) return { name, value }
  throw new CommandLineError(
    `--auth-header must be a header such as 'X-Key: secret'; got ${JSON.stringify(text)}.`,
  )
}

/**
 * Adds a header with a key to the webhooks of a service.
 * @throws UsageError if the service signs its webhooks
 */
export function withAuthHeader(
  format: WebhookFormat,
  dialect: string,
  header: AuthHeader | undefined,
): WebhookFormat {
  if (header === undefined) return format
  if (isSigned(format))
    throw new CommandLineError(`The dialect ${dialect} signs its webhooks, so omit --auth-header.`)
  const others = (headers: Headers) =>
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== header.name.toLowerCase())
  return {
    ...format,
    headers: (name, state) => Object.fromEntries(others(format.headers?.(name, state) ?? {})),
    sign: () => ({ [header.name]: header.value }),
    malformed: { [header.name]: 'not-a-key' },
  }
}
