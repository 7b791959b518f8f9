import { MASK } from '../../../engine/secret-patterns.js'
import { isIdName, isSecretParameter } from './secret-names.js'
import type { Span } from './view.js'
import type { Found } from './views.js'

/** The start of a URL: a scheme with slashes of either kind, the same without a scheme, or a scheme of the web alone. */
const START = /\b(?:https?|wss?|ftp):[\\/]*|\b[a-z][a-z0-9+.-]{0,20}:[\\/]{2,}|(?<![\w:\\/])[\\/]{2,}/gi
/** The same, for URLs in URLs. */
const INNER = new RegExp(START)
/** The start of a URL of a service without its host. */
const RELATIVE = /^(?:[\\/](?![\\/])|[?#])/
/** All URLs have one of these. */
const MARK = /[/\\:?#]/
const BLANK = /\s/g
const BLANK_OR_TAG = /[\s<>]/g
const AFTER_QUOTE = new Map([
  ['"', /[\s<>"]/g],
  ["'", /[\s<>']/g],
  ['`', /[\s<>`]/g],
])
const DELIMITER = /[?#&]/g
const AUTHORITY = /[^\\/?#\s]*/y

/** A URL in a text, and the parts of it that must not be written. */
export interface FoundUrl {
  readonly start: number
  readonly end: number
  readonly secrets: readonly Found[]
  /** The parts that may have ids: the path, and parameters such as cursors. */
  readonly ids: readonly Span[]
}

/**
 * Finds URLs in a text, also those that a strict parser would reject, and their user names, passwords and parameters.
 * @param isOwn whether a host belongs to the service. Of its parameters, only secrets are found; of others, all
 */
export function findUrls(text: string, isOwn: (origin: string) => boolean): FoundUrl[] {
  const urls: FoundUrl[] = []
  if (!MARK.test(text)) return urls
  if (RELATIVE.test(text)) urls.push(urlIn(text, { start: 0, end: endOf(text, 0) }, isOwn))
  START.lastIndex = urls[0]?.end ?? 0
  for (let found = START.exec(text); found !== null; found = START.exec(text)) {
    const url = urlIn(text, { start: found.index, end: endOf(text, found.index) }, isOwn)
    urls.push(url)
    START.lastIndex = Math.max(url.end, START.lastIndex)
  }
  return urls
}

/** The end of a URL: at the quotation mark that precedes it, if there is one, at a tag, or at a blank. */
function endOf(text: string, start: number): number {
  // A text that begins with a URL is often nothing else.
  const end = start === 0 ? BLANK : (AFTER_QUOTE.get(text[start - 1] ?? '') ?? BLANK_OR_TAG)
  end.lastIndex = start
  return end.exec(text)?.index ?? text.length
}

/** Reads a URL from left to right. It may contain others, as in `/next?url=https://other.example/?id=7`. */
function urlIn(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  isOwn: (origin: string) => boolean,
): FoundUrl {
  const url = text.slice(start, end)
  const secrets: Found[] = []
  const ids: Span[] = []
  const lastAt = url.lastIndexOf('@')
  // The paths of the service have no host.
  let isOfService = true
  let authorityOf = nextAuthority(url, 0)
  let parameter = -1
  DELIMITER.lastIndex = 0
  for (;;) {
    const delimiter = DELIMITER.exec(url)
    const at = delimiter?.index ?? url.length
    if (parameter === -1) ids.push({ start: 0, end: at })
    else {
      const { secret, id } = inParameter(url, { start: parameter, end: at }, isOfService)
      if (secret !== undefined) secrets.push(secret)
      if (id !== undefined) ids.push(id)
    }
    while (authorityOf !== undefined && authorityOf.start < at) {
      const { scheme, start: from, end: to } = authorityOf
      const origin = originOf(scheme, url.slice(from, to))
      const userEnd = userInfoEnd(url, authorityOf, origin !== undefined, lastAt)
      if (userEnd > from) secrets.push(...inUserInfo(url, from, userEnd))
      isOfService = origin !== undefined && isOwn(origin)
      authorityOf = nextAuthority(url, Math.max(to, from + 1))
    }
    if (delimiter === null) break
    parameter = at + 1
  }
  const placed = <Part extends Span>(part: Part): Part => ({
    ...part,
    start: part.start + start,
    end: part.end + start,
  })
  return { start, end, secrets: secrets.map(placed), ids: ids.map(placed) }
}

interface Authority {
  readonly scheme: string
  readonly start: number
  readonly end: number
}

function nextAuthority(url: string, from: number): Authority | undefined {
  INNER.lastIndex = from
  const found = INNER.exec(url)
  if (found === null) return undefined
  const start = found.index + found[0].length
  AUTHORITY.lastIndex = start
  const length = AUTHORITY.exec(url)?.[0].length ?? 0
  return { scheme: /^[^\\/]*/.exec(found[0])?.[0] || 'https:', start, end: start + length }
}

const WEB = /^(?:https?|wss?|ftp):$/i

/** The origin of a URL as the platform reads it; undefined if it cannot. */
function originOf(scheme: string, authority: string): string | undefined {
  const text = `${WEB.test(scheme) ? scheme : 'https:'}//${authority}/`
  return URL.canParse(text) ? new URL(text).origin : undefined
}

/** The end of the user name and the password; 0 if there is none. */
function userInfoEnd(
  url: string,
  { scheme, start, end }: Authority,
  isValid: boolean,
  lastAt: number,
): number {
  const isOfWeb = WEB.test(scheme)
  const inAuthority = url.slice(start, end).lastIndexOf('@')
  if (isOfWeb && inAuthority !== -1) return start + inAuthority
  // A password with a slash makes the URL invalid, or is possible in schemes of databases.
  return isOfWeb && isValid ? 0 : Math.max(0, lastAt)
}

function* inUserInfo(url: string, start: number, end: number): Generator<Found> {
  yield { start, end, isSecret: true }
  const colon = url.slice(start, end).indexOf(':')
  if (colon === -1) return
  yield { start, end: start + colon, isSecret: true }
  yield { start: start + colon + 1, end, isSecret: true }
}

function inParameter(
  url: string,
  { start, end }: Span,
  isOfService: boolean,
): { readonly secret?: Found; readonly id?: Span } {
  const parameter = url.slice(start, end)
  const equals = parameter.indexOf('=')
  const name = decodedUrl(parameter.slice(0, Math.max(0, equals)))
  const value = { start: start + equals + 1, end }
  const text = url.slice(value.start, end)
  if (text === '' || text === MASK) return {}
  const isSecret = isSecretParameter(name, text)
  if (isSecret || !isOfService) return { secret: { ...value, isSecret } }
  return isIdName(name) ? { id: value } : {}
}

/** A part of a URL without its encoding; the part itself if that is not valid. */
export function decodedUrl(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
