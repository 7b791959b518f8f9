import { type Dialect, type KeyLocation, keyLocations } from '../../../dialects/dialect.js'
import { fromBase64 } from '../../../engine/base64.js'
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
  const ofStates = (table?.operations ?? []).flatMap((operation) =>
    'states' in operation ? Object.values(operation.states ?? {}).map((state) => state?.headers) : [],
  )
  const written = [table?.headers, table?.error.headers, ...ofStates].flatMap((headers) =>
    Object.keys(headers ?? {}),
  )
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
  const isKey = (name: string) => keyLocations(key).some(({ header }) => name === header.toLowerCase())
  return (name) =>
    !isKey(name) && !isSecretHeader(name) && (names.has(name) || KEPT.some((form) => form.test(name)))
}

type Headers = Readonly<Record<string, string>>

/** A request, as far as it has a key. */
interface Keyed {
  readonly url: string
  readonly headers: Headers
}

/** The API key of a request; undefined if it has none. */
export function keyOf(location: KeyLocation, { url, headers }: Keyed): string | undefined {
  const values = keyLocations(location).map(({ header, query }) => {
    const value = headers[header.toLowerCase()]?.trim()
    if (value !== undefined && value !== '') return withoutScheme(value)
    return query === undefined ? undefined : (new URL(url).searchParams.get(query) ?? undefined)
  })
  return values.find((value) => value !== undefined)
}

/** The secrets in the headers that a recording leaves out: keys, cookies, signatures. */
export function* secretsIn(headers: Headers): Generator<string> {
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'cookie' || name === 'set-cookie') yield* cookiesIn(value)
    else if (isSecretHeader(name)) {
      yield value
      yield withoutScheme(value)
      yield* basicIn(value)
    }
  }
}

/** The value of a header without a word such as `Bearer`. */
function withoutScheme(value: string): string {
  return value.replace(/^\S+\s+/, '')
}

/** The user name and the password of `Basic`, in base64. */
function* basicIn(value: string): Generator<string> {
  const [, encoded] = /^Basic\s+([\w+/-]+)=*$/i.exec(value.trim()) ?? []
  if (encoded === undefined) return
  const decoded = new TextDecoder().decode(fromBase64(encoded))
  yield decoded
  yield* decoded.split(/:(.*)/s)
}

function* cookiesIn(text: string): Generator<string> {
  for (const cookie of text.split(/[;,]/)) {
    const [, value = ''] = /^[^=]*="?(.*?)"?$/s.exec(cookie.trim()) ?? []
    yield value
  }
}
