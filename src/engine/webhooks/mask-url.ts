/** What stands in place of a secret in a URL. */
const MASK = '***'

/** A name that contains one of these names a secret, wherever they stand: `accesstoken`, `webhookSecret`. */
const PARTS = /token|secret|passw|passphrase|signature|credential|apikey|authorization/
/** A name with one of these as a word names a secret: `key`, `X-Api-Key`, `authKey`, but not `keyword`. */
const WORDS = new Set(['key', 'keys', 'sig', 'sign', 'auth', 'code', 'pass', 'pwd', 'jwt', 'hmac', 'bearer'])

const USER_INFO = /^(\s*[a-z][a-z0-9+.-]*:[\\/]+)([^\\/?#]*)@/i
const PARAMETER = /([?&#])([^=?&#]*)=([^&#]+)/g

/**
 * A URL as it may be shown: with `***` in place of its user name and password, and of each value in its query or
 * fragment whose parameter has the name of a secret. The rest stays as it is, and a text
 * that is no URL is masked as far as it looks like one.
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

/** The secrets that {@link maskUrl} masks in a URL, as they are written there and percent-decoded. */
export function secretsInUrl(url: string): string[] {
  const userInfo = USER_INFO.exec(url)?.[2] ?? ''
  const values = [...url.matchAll(PARAMETER)].flatMap(([, , name = '', value = '']) =>
    isSecretName(name) ? [value] : [],
  )
  const written = [userInfo, ...userInfo.split(':'), ...values]
  return [...new Set(written.flatMap((text) => [text, decoded(text)]))]
}

/** Whether a URL has a mask where {@link maskUrl} puts one, so that its secret is not known any more. */
export function isMaskedUrl(url: string): boolean {
  if (USER_INFO.exec(url)?.[2] === MASK) return true
  return [...url.matchAll(PARAMETER)].some(([, , name = '', value]) => value === MASK && isSecretName(name))
}

/** Whether the name of a query parameter, in any case and percent-encoded or not, is that of a secret. */
function isSecretName(encoded: string): boolean {
  const name = decoded(encoded)
  if (PARTS.test(name.toLowerCase().replace(/[^a-z]/g, ''))) return true
  return wordsOf(name).some((word) => WORDS.has(word))
}

/** The words of a name such as `api-key`, `api_key`, `apiKey` or `APIKey`, in lower case. */
function wordsOf(name: string): string[] {
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
