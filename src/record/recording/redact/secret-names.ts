import { CURSOR, hasSecretStem, isSecretName, isSecretWord, wordsOf } from '../../../engine/secret-names.js'

/** Parameters of signed URLs of S3, Google Cloud Storage, CloudFront, Azure and other hosts of files. */
const SIGNED =
  /^(?:x-(?:amz|goog)-.*|s[epvrt]|sk(?:e|oid|s|t|tid|v)|spr|sip|expires?|expiry|policy|awsaccesskeyid|googleaccessid|hdnt[sa]|hdnea|md5|hash|verify)$/i
/** A name that ends with one of these says something about a secret: `token_type`, `session_timeout`. */
const DESCRIPTORS = new Set(
  'count counts limit type types expires expiry expiration ttl duration seconds minutes ms time timeout at in length size enabled required version algorithm method scheme mode format kind name url uri endpoint status usage price cost index budget rate'.split(
    ' ',
  ),
)
/** Keys that are not secret: `public_key`, `idempotency_key`. */
const PUBLIC_KEYS = new Set(
  'public primary foreign idempotency idempotent sort cache object file partition row group hot dedupe deduplication track musical music translation lookup map'.split(
    ' ',
  ),
)

const WORD = /^(?:[A-Z]?[a-z]{1,15}|[A-Z]{1,15})(?:[ _./-](?:[A-Z]?[a-z]{1,15}|[A-Z]{1,15}))*$/
/** Texts that are not secrets: numbers, times, and URLs, which have rules of their own. */
const SIMPLE =
  /^(?:[\d.:,-]{1,12}|\d{4}-\d\d-\d\d[T ]?[\d:.]*(?:Z|[+-]\d\d:?\d\d)?|(?:https?|wss?):\/\/\S+)$/i
const SHORTEST_KEY = 8

/** The fields of a form for an upload to S3 or Google Cloud Storage. */
const UPLOAD = /^x-(?:amz|goog)-/i
const ENCODED_POLICY = /^[\w+/=-]{40,}$/

/** Whether a query parameter is a secret or a part of a signature, by its name. */
export function isSecretParameter(name: string, value?: string): boolean {
  if (CURSOR.test(name)) return false
  const isKey = wordsOf(name).some(isSecretWord) && !isPublicKey(name)
  return SIGNED.test(name) || isKey || isSecretField(name, value)
}

/** Whether a field is a secret, by its name. @param value distinguishes names that can have other values, too */
export function isSecretField(name: string, value?: unknown): boolean {
  if (CURSOR.test(name)) return false
  if (UPLOAD.test(name)) return true
  if (name.toLowerCase() === 'policy') return typeof value === 'string' && ENCODED_POLICY.test(value)
  if (!hasSecretStem(name)) return isKey(name, value)
  return !(DESCRIPTORS.has(wordsOf(name).at(-1) ?? '') && isSimple(value))
}

/** Whether a header or a variable holds a secret, by its name. */
export function isSecretHeader(name: string): boolean {
  return isSecretField(name) || isSecretName(name)
}

/** Whether a field is a key that is not a word, such as `service_key`. */
function isKey(name: string, value: unknown): boolean {
  const words = wordsOf(name).filter((word) => word !== '')
  if (words.length < 2 || !/^keys?$/.test(words.at(-1) ?? '') || isPublicKey(name)) return false
  if (value === undefined) return false
  // The parts of a list or an object.
  if (typeof value !== 'string') return typeof value === 'object'
  return value.length >= SHORTEST_KEY && !isWord(value)
}

function isPublicKey(name: string): boolean {
  return wordsOf(name).some((word) => PUBLIC_KEYS.has(word))
}

/** Whether a text is a word, or some words, and not a key. */
export function isWord(text: string): boolean {
  return WORD.test(text)
}

function isSimple(value: unknown): boolean {
  return value === undefined ? false : typeof value !== 'string' || SIMPLE.test(value) || isWord(value)
}

/** A field with one of these words in its name has an id, a hash, a cursor or the name of a machine, which look like secrets. */
const IDS = new Set(
  'id ids uuid guid version versions model models hash sha checksum digest etag md5 crc commit revision cursor marker continuation page anchor host hostname node pod instance container worker machine trace span after before since until next previous prev first last name names file filename files path location slug ref seed operation'.split(
    ' ',
  ),
)

/** Whether a field may have an id, a hash, a cursor or a path. */
export function isIdName(name: string): boolean {
  return CURSOR.test(name) || wordsOf(name).some((word) => IDS.has(word))
}
