import { parseJson } from './json.js'
import { Recent } from './recent.js'
import { decoded, isSecretName } from './secret-names.js'

/** Replaces a secret in a URL. */
const MASK = '***'

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

const masked = new Recent<string, string>()

/** Shorter secrets are masked completely, because their ends would reveal most of them. */
export const MIN_PARTIALLY_SHOWN = 12

/**
 * Masks a secret: shows only its ends, such as `sk_...ocal`, or, of 2 to 11 characters, only a checksum, such as `***0e`.
 * Secrets that differ in one character have different checksums. Each checksum belongs to one of 256 possible secrets.
 */
export function mask(secret: string): string {
  let result = masked.get(secret)
  if (result === undefined) {
    result =
      secret.length < MIN_PARTIALLY_SHOWN ? maskShort(secret) : `${secret.slice(0, 3)}...${secret.slice(-4)}`
    masked.set(secret, result)
  }
  return result
}

/** Masks each of the secrets in a text. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, mask(secret)), text)
}

/** The checksum of a single character would reveal it. */
function maskShort(secret: string): string {
  return secret.length < 2 ? MASK : MASK + checksum(secret).toString(16).padStart(2, '0')
}

/** The lowest byte of the FNV-1a hash. */
function checksum(secret: string): number {
  let byte = 0xc5
  for (let index = 0; index < secret.length; index++) byte = ((byte ^ secret.charCodeAt(index)) * 0x93) & 0xff
  return byte
}
