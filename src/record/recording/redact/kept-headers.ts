import type { Dialect } from '../../../dialects/dialect.js'
import { isSecretHeader } from './secret-names.js'

const KEPT = [
  /^(?:content-type|accept|retry-after(?:-ms)?|etag|last-modified|location|date|prefer)$/,
  /(?:^|-)(?:should-retry|retryable)$/,
  /rate-?limit/,
  // Ids of requests, deliveries and tasks; not of clients, users or sessions.
  /(?:^|-)(?:request|trace|correlation|event|webhook|delivery|message|task|prediction|job|generation)-?id$/,
  /^(?:webhook-timestamp|svix-id)$/,
  /(?:^|-)(?:api-)?version$/,
]
const IN_TEMPLATE = /\{\{[^}]*?\bheader\.([\w-]+)/g

/** Returns the test for the names of headers that a recording keeps, in lower case: none that can hold a secret. */
export function keptHeaders({
  table,
  key,
  requiredHeaders,
  limitHeaders,
  forward,
}: Dialect): (name: string) => boolean {
  const { limit, remaining, reset } = limitHeaders ?? {}
  const read = [...JSON.stringify(table ?? {}).matchAll(IN_TEMPLATE)].map(([, name]) => name)
  const written = [table?.headers, table?.error.headers].flatMap((headers) => Object.keys(headers ?? {}))
  const own = [
    limit,
    remaining,
    reset,
    forward?.header,
    ...(requiredHeaders?.keys() ?? []),
    ...read,
    ...written,
  ]
  const names = new Set(own.map((name) => name?.toLowerCase()))
  const isKey = (name: string) => name === key.header.toLowerCase()
  return (name) =>
    !isKey(name) && !isSecretHeader(name) && (names.has(name) || KEPT.some((form) => form.test(name)))
}
