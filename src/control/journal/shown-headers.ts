import type { RequestNote } from '../../engine/events.js'
import { mask } from '../../engine/mask.js'
import type { HeaderSource } from '../../engine/requests/header-record.js'
import type { SentHeaders } from '../../engine/requests/kept-headers.js'
import { isSecretName } from '../../engine/secret-names.js'
import { maskUrl } from '../../engine/webhooks/receivers/mask-url.js'

/** Names that sound like those of secrets, but are none. */
const HARMLESS = new Set([
  'idempotency-key',
  'x-idempotency-key',
  'sec-websocket-key',
  'connection',
  'proxy-connection',
])
const WITH_SCHEME = /^([\w-]+ +)?(\S+) *$/
const URL_START = /^https?:\/\//i

/** The headers of a request, without secrets. */
export function requestHeaders({ headers }: RequestNote): Record<string, string> {
  return headers?.masked((sent) => shown(sent.request, sent)) ?? {}
}

/** The headers of a response, without secrets, and without those that a host adds while it sends them. */
export function responseHeaders({ headers }: RequestNote): Record<string, string> {
  return headers?.masked((sent) => shown(ownHeaders(sent), sent)) ?? {}
}

function ownHeaders({ response }: SentHeaders): SentHeaders['response'] {
  const { 'content-length': _, connection: __, ...own } = response
  return own
}

function shown(headers: HeaderSource, { keyHeader, secrets }: SentHeaders): Record<string, string> {
  const keyName = keyHeader?.toLowerCase()
  const result: Record<string, string> = {}
  for (const [name, value] of Symbol.iterator in headers ? headers : Object.entries(headers)) {
    if (value === undefined) continue
    const text = typeof value === 'string' ? value : value.join(', ')
    const masked = isSecretHeader(name) || name === keyName ? maskedValue(name, text) : shownValue(text)
    result[name] = secrets.reduce((all, secret) => all.replaceAll(secret, mask(secret)), masked)
  }
  return result
}

function isSecretHeader(name: string): boolean {
  return !HARMLESS.has(name) && isSecretName(name)
}

/** Keeps the scheme before a secret, such as `Bearer`, and the names of cookies. */
function maskedValue(name: string, value: string): string {
  if (name.endsWith('cookie')) return value.replace(/(^|[;,] *)([^=;,]+)=[^;,]*/g, '$1$2=***')
  const [, scheme = '', secret] = WITH_SCHEME.exec(value) ?? []
  if (secret === undefined || /^basic/i.test(scheme)) return `${scheme}***`
  return `${scheme}${mask(secret)}`
}

function shownValue(value: string): string {
  return URL_START.test(value) ? maskUrl(value) : value
}
