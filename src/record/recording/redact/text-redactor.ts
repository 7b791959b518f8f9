import { MASK, maskPatterns } from '../../../engine/secret-patterns.js'
import { isSecretName } from '../../../engine/webhooks/receivers/mask-url.js'
import { redactedText } from '../redacted-text.js'
import type { HiddenTexts } from './hidden-texts.js'
import { isSecretParameter } from './secret-names.js'

/** A URL in a text. A value that was redacted before may be in it. */
const URL_FORM = /\b[a-z][a-z0-9+.-]{1,20}:\/\/(?:\[redacted [0-9a-f]{32}\]|[^\s"'<>`\\])+/gi
const RELATIVE_URL = /^\/[^\s/][^\s]*[?#]/
const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)@/i
/** Data URLs and base64 of more than 200 characters are files. */
const DATA = /\bdata:[\w/+.-]{0,80}(?:;[\w=.-]{0,80}){0,4},[\w+/=%.~-]{160,}|[\w+/-]{201,}={0,2}/g
const LONGEST_DATA = 200
/** URLs in parameters of URLs, in turn. */
const DEEPEST = 3
/** Times in the queries of signed URLs are not secret. */
const TIME = /^\d{4}-\d\d-\d\d|^1\d{9}(?:\d{3})?$/
/** A secret with fewer characters could be a word. */
const RANDOM = /^(?=\S*\d)\S{8,}$|^[\s\S]{14,}$/

/** What the redaction of texts depends on. */
export interface TextSettings {
  readonly salt: string
  /** The origins of the service. The queries of URLs on other hosts are masked completely. */
  readonly origins: ReadonlySet<string>
  readonly hidden: HiddenTexts
  /** Whether everybody knows a text, because it belongs to the wire format. */
  readonly isPublic: (text: string) => boolean
}

/** Removes secrets and files from texts. */
export class TextRedactor {
  readonly #settings: TextSettings

  constructor(settings: TextSettings) {
    this.#settings = settings
  }

  /** Remembers a secret, so that it is masked in all other places, too. */
  readonly hide = (secret: string): void => {
    const { hidden, isPublic } = this.#settings
    if (RANDOM.test(secret) && !TIME.test(secret) && !isPublic(secret)) hidden.add(secret, MASK)
  }

  /** Removes secrets, and replaces files by redacted texts. */
  redact(text: string, depth = 0): string {
    if (text === '') return text
    const { salt, hidden } = this.#settings
    const withoutHidden = hidden.replaceIn(text)
    const withoutQueries = RELATIVE_URL.test(withoutHidden)
      ? this.#url(withoutHidden, true, depth)
      : withoutHidden.replace(URL_FORM, (url) => this.#url(url, this.#isOwn(url), depth))
    const withoutFiles = withoutQueries.replace(DATA, (data) =>
      data.length > LONGEST_DATA ? redactedText(salt, data) : data,
    )
    return maskPatterns(withoutFiles, this.hide)
  }

  #isOwn(url: string): boolean {
    return URL.canParse(url) && this.#settings.origins.has(new URL(url).origin)
  }

  #url(url: string, isOwn: boolean, depth: number): string {
    const [, path = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? []
    return (
      this.#withoutUser(path) +
      this.#parameters(query, isOwn, depth) +
      this.#parameters(fragment, isOwn, depth)
    )
  }

  #withoutUser(path: string): string {
    return path.replace(USER_INFO, (_, scheme: string, user: string) => {
      for (const part of [user, ...user.split(':')]) this.#hideEncoded(part)
      return `${scheme}${MASK}@`
    })
  }

  /** @param part a query or a fragment, with its first character */
  #parameters(part: string, isOwn: boolean, depth: number): string {
    if (part.length < 2) return part
    const parameters = part.slice(1).split('&')
    return part[0] + parameters.map((parameter) => this.#parameter(parameter, isOwn, depth)).join('&')
  }

  #parameter(parameter: string, isOwn: boolean, depth: number): string {
    const end = parameter.indexOf('=')
    const name = parameter.slice(0, Math.max(0, end))
    const value = parameter.slice(end + 1)
    const before = end === -1 ? '' : `${name}=`
    if (value === '' || value === MASK) return parameter
    // The dates and numbers in signed URLs are not secret.
    if (isSecretName(name)) this.#hideEncoded(value)
    if (!isOwn || isSecretParameter(decoded(name))) return before + MASK
    return before + this.#nested(value, depth)
  }

  #nested(value: string, depth: number): string {
    const plain = decoded(value)
    const redacted = depth < DEEPEST ? this.redact(plain, depth + 1) : MASK
    return redacted === plain ? value : encodeURIComponent(redacted)
  }

  #hideEncoded(text: string): void {
    this.hide(text)
    this.hide(decoded(text))
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
