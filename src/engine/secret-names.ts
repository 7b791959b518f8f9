/** Cursors are not secret, although services call them tokens. */
export const CURSOR = /(?:page|continuation|next|sync|cursor)[-_]?token$/i

/** A name is that of a secret if its letters contain one of these; `tokens`, `tokenizer` and `possession` do not. */
const STEMS =
  /token(?!s|iz)|(?:access|api|auth|refresh|secret|session)tokens|secret|passw|passphrase|passcode|signature|credential|(?:api|access|account|private|signing|encryption|licen[cs]e|master|service|shared|subscription|storage|client)keys?$|apikey|authori[sz]ation|cookie|(?<!ob|pos)session|sessid|csrf|xsrf|connectionstr|connstr|mnemonic|(?:seed|recovery)phrase|(?:user|db|database|my|ftp|smtp|mail|proxy|admin|root|sql|redis|http|login)pass$/
/**
 * A name is that of a secret if it contains one of these words: `db_pass`, `userPin`, `X-Sid`, but not `spin` or
 * `passage`.
 */
const WORDS = new Set(
  'auth authn oauth pass passwd pwd pw pin otp totp mfa sid sess cred creds jwt jwe hmac bearer sig private connection dsn license licence cvv cvc'.split(
    ' ',
  ),
)
/** Words in the names of headers and of parameters of URLs that are secret, but not in the names of fields. */
const OUTSIDE_BODIES = new Set(['key', 'keys', 'sign', 'code'])

/** Whether a header or a parameter of a URL is a secret by its name, in any case and percent-encoded or not. */
export function isSecretName(encoded: string): boolean {
  const name = decoded(encoded)
  return !CURSOR.test(name) && (hasSecretStem(name) || wordsOf(name).some(isSecretWord))
}

/** Whether a word in the name of a header or a parameter marks a secret. */
export function isSecretWord(word: string): boolean {
  return OUTSIDE_BODIES.has(word)
}

/** Whether the letters of a name, or its words, mark a secret. */
export function hasSecretStem(name: string): boolean {
  return (
    STEMS.test(name.toLowerCase().replace(/[^a-z]/g, '')) || wordsOf(name).some((word) => WORDS.has(word))
  )
}

/** The words of a name such as `api-key`, `api_key`, `apiKey` or `APIKey`, in lower case. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
}

/** A text without its percent-encoding; the text itself if that is not valid. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
