import { parseJson } from './json.js'
import { Recent } from './recent.js'

/** Replaces a secret in a URL. */
const MASK = '***'

/** A parameter whose name contains one of these is a secret: `accesstoken`, `webhookSecret`. */
const PARTS = /token|secret|passw|passphrase|signature|credential|apikey|authorization/

/** A parameter with one of these words in its name is a secret: `key`, `X-Api-Key`, `authKey`, but not `keyword`. */
const WORDS = new Set(['key', 'keys', 'sig', 'sign', 'auth', 'code', 'pass', 'pwd', 'jwt', 'hmac', 'bearer'])
const USER_INFO = /^(\s*[a-z][a-z0-9+.-]*:[\\/]+)([^\\/?#]*)@/i
const PARAMETER = /([?&#])([^=?&#]*)=([^&#]+)/g
const URL_START = /^https?:/i
const JSON_STRING = /"(?:[^"\\]|\\.)*"/g

/**
 * Masks the secrets in a URL: replaces the user name and password, and each value in the query or fragment whose
 * parameter has the name of a secret, with `***`. Also masks such parts in a text that is not a valid URL.
 * @example
 * maskUrl('https://example.com/hooks?id=7&token=abc') // https://example.com/hooks?id=7&token=***
 */
export function maskUrl(url: string): string {
  return url
    .replace(USER_INFO, `$1${MASK}@`)
    .replace(PARAMETER, (whole, before: string, name: string) =>
      isSecretName(name) ? `${before}${name}=${MASK}` : whole,
    )
}

/** Masks the secrets in each string of a JSON text that is a URL, as {@link maskUrl} does. */
export function maskUrlsIn(json: string): string {
  return /https?/i.test(json) ? json.replace(JSON_STRING, maskString) : json
}

function maskString(literal: string): string {
  const text = parseJson(literal)
  if (typeof text !== 'string' || !URL_START.test(text)) return literal
  const masked = maskUrl(text)
  return masked === text ? literal : JSON.stringify(masked)
}

/** The secrets that {@link maskUrl} masks in a URL, both as written and percent-decoded. */
export function secretsInUrl(url: string): string[] {
  const userInfo = USER_INFO.exec(url)?.[2] ?? ''
  const values = [...url.matchAll(PARAMETER)].flatMap(([, , name = '', value = '']) =>
    isSecretName(name) ? [value] : [],
  )
  const written = [userInfo, ...userInfo.split(':'), ...values]
  return [...new Set(written.flatMap((text) => [text, decoded(text)]))]
}

/** Whether {@link maskUrl} has masked a URL, so that its secret is lost. */
export function isMaskedUrl(url: string): boolean {
  if (USER_INFO.exec(url)?.[2] === MASK) return true
  return [...url.matchAll(PARAMETER)].some(([, , name = '', value]) => value === MASK && isSecretName(name))
}

/** Whether a query parameter or a header is a secret by its name, in any case and percent-encoded or not. */
export function isSecretName(encoded: string): boolean {
  const name = decoded(encoded)
  if (PARTS.test(name.toLowerCase().replace(/[^a-z]/g, ''))) return true
  return wordsOf(name).some((word) => WORDS.has(word))
}

/** The words of a name such as `api-key`, `api_key`, `apiKey` or `APIKey`, in lower case. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

const masked = new Recent<string, string>()

/** Shorter secrets are masked completely, because their ends would reveal most of them. */
export const MIN_PARTIALLY_SHOWN = 12

/** Masks a secret: returns `***` or, for 12 or more characters, only its ends, such as `sk_...ocal`. */
export function mask(secret: string): string {
  let result = masked.get(secret)
  if (result === undefined) {
    result = secret.length < MIN_PARTIALLY_SHOWN ? '***' : `${secret.slice(0, 3)}...${secret.slice(-4)}`
    masked.set(secret, result)
  }
  return result
}
