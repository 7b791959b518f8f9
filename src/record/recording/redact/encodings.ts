import { toBase64 } from '../../../engine/base64.js'

type Encode = (text: string) => string

const encoder = new TextEncoder()
/** Shorter parts of base64 are too common to be looked for. */
const SHORTEST_BASE64 = 8

const PLAIN: readonly Encode[] = [
  (text) => text,
  escapedInJson,
  (text) => escapedInJson(text).replace(/[^\x20-\x7e]/g, unicodeEscape),
  (text) => escapedInJson(text).replaceAll('/', '\\/'),
  percentEncoded,
  (text) => percentEncoded(text).replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  (text) => percentEncoded(percentEncoded(text)),
  (text) => new URLSearchParams({ '': text }).toString().slice(1),
]

const BASE64: readonly Encode[] = [0, 1, 2].flatMap((before) => [
  (text: string) => inBase64(text, before),
  (text: string) => inBase64(text, before).replaceAll('+', '-').replaceAll('/', '_'),
])

/** The encodings in which a text differs, and is long enough to be looked for. */
export function encodings(text: string): readonly Encode[] {
  const seen = new Set<string>()
  const isNew = (encoded: string) => !seen.has(encoded) && seen.add(encoded)
  return [
    ...PLAIN.filter((encode) => isNew(encode(text))),
    ...BASE64.filter((encode) => {
      const encoded = encode(text)
      return encoded.length >= SHORTEST_BASE64 && isNew(encoded)
    }),
  ]
}

function escapedInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function percentEncoded(text: string): string {
  // Half a surrogate pair cannot be encoded.
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'))
}

/**
 * The base64 of a text within other bytes: the characters that depend on the text only.
 * @param before the number of bytes before the text, modulo 3
 */
function inBase64(text: string, before: number): string {
  const bytes = encoder.encode(text)
  const whole = toBase64(new Uint8Array([...new Uint8Array(before), ...bytes]))
  return whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
}
