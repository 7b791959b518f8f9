import type { KeyLocation } from '../../../dialects/dialect.js'
import { isSecretHeader } from './secret-names.js'

type Headers = Readonly<Record<string, string>>

/** A request, as far as it has a key. */
interface Keyed {
  readonly url: string
  readonly headers: Headers
}

/** The API key of a request; undefined if it has none. */
export function keyOf({ header, query }: KeyLocation, { url, headers }: Keyed): string | undefined {
  const value = headers[header.toLowerCase()]?.trim()
  if (value !== undefined && value !== '') return withoutScheme(value)
  return query === undefined ? undefined : (new URL(url).searchParams.get(query) ?? undefined)
}

/** The secrets in the headers that a recording leaves out: keys, cookies, signatures. */
export function* secretsIn(headers: Headers): Generator<string> {
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'cookie' || name === 'set-cookie') yield* cookiesIn(value)
    else if (isSecretHeader(name)) {
      yield value
      yield withoutScheme(value)
    }
  }
}

/** The value of a header without a word such as `Bearer`. */
function withoutScheme(value: string): string {
  return value.replace(/^\S+\s+/, '')
}

function* cookiesIn(text: string): Generator<string> {
  for (const cookie of text.split(/[;,]/)) {
    const [, value = ''] = /^[^=]*=(.*)$/s.exec(cookie.trim()) ?? []
    yield value
  }
}
