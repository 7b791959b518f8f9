import type { View } from './view.js'

/** What the parts of a view read that are encoded: base64, base32, hexadecimal digits, and numbers of bytes, dumps. */
export function* encodedIn(view: View): Generator<View> {
  yield* fromBase64(view)
  yield* fromBase32(view)
  yield* fromHex(view)
  yield* fromNumbers(view)
  yield* fromDump(view)
}

const BASE64 = /[A-Za-z0-9+/_-]{12,}/g
/** A run of letters of one case is a word. */
const WORD = /^(?:[a-z/_-]+|[A-Z/_-]+)$/
/** Longer base64 is a file, which is not written. */
export const LONGEST_BASE64 = 200
const BEGINNING = 64

function* fromBase64(view: View): Generator<View> {
  for (const { 0: run, index } of view.text.matchAll(BASE64)) {
    if (WORD.test(run)) continue
    // Other characters may precede the base64.
    for (let before = 0; before < 4; before++) {
      if (run.length > LONGEST_BASE64 && !isReadable(bytesOf(run.slice(before, BEGINNING)))) continue
      const start = index + before
      yield decodedView(bytesOf(run.slice(before)), (from, to) =>
        view.place(start + Math.floor((from * 4) / 3), start + Math.ceil((to * 4) / 3)),
      )
    }
  }
}

/** The bytes of base64 or base64url, with one character for each byte. */
function bytesOf(base64: string): string {
  const length = base64.length % 4 === 1 ? base64.length - 1 : base64.length
  return atob(base64.slice(0, length).replaceAll('-', '+').replaceAll('_', '/'))
}

const BASE32 = /(?<![A-Za-z0-9])(?:[A-Z2-7]{16,}|[a-z2-7]{16,})(?![A-Za-z0-9])/g
/** Of a character in base32. */
const BITS = 5

function* fromBase32(view: View): Generator<View> {
  for (const { 0: run, index } of view.text.matchAll(BASE32)) {
    if (!/\d/.test(run)) continue
    // Other characters may precede the base32.
    for (let before = 0; before < 8; before++) {
      const start = index + before
      yield decodedView(bytesOfBase32(run.slice(before)), (from, to) =>
        view.place(start + Math.floor((from * 8) / BITS), start + Math.ceil((to * 8) / BITS)),
      )
    }
  }
}

function bytesOfBase32(base32: string): string {
  let text = ''
  let [bits, count] = [0, 0]
  for (const character of base32.toUpperCase()) {
    bits = ((bits << BITS) | BASE32_DIGITS.indexOf(character)) & 0xfff
    count += BITS
    if (count < 8) continue
    count -= 8
    text += String.fromCharCode((bits >> count) & 0xff)
  }
  return text
}

const BASE32_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const HEX = /[0-9a-f]{16,}/gi

function* fromHex(view: View): Generator<View> {
  for (const { 0: run, index } of view.text.matchAll(HEX)) {
    for (const before of [0, 1]) {
      const pairs = run.slice(before).match(/../g) ?? []
      const text = pairs.map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join('')
      const start = index + before
      yield decodedView(text, (from, to) => view.place(start + 2 * from, start + 2 * to))
    }
  }
}

/** Bytes as numbers: `73 6b 2d`, `736b 2d70`, `73:6b:2d`, `0x73, 0x6b` and `115, 107, 45`. */
const NUMBERS = [
  {
    form: /(?<!\w)(?:(?:0x)?(?:[0-9a-f]{2}){1,2}(?:[ :-]|,\s{0,9})){7,}(?:0x)?[0-9a-f]{2,4}(?!\w)/gi,
    digit: /[0-9a-f]{2}/gi,
    base: 16,
  },
  { form: /(?<![\w.])(?:\d{2,3},?\s{0,9}(?<!\d)){7,}\d{2,3}(?![\w.])/g, digit: /\d+/g, base: 10 },
] as const

function* fromNumbers(view: View): Generator<View> {
  for (const { form, digit, base } of NUMBERS)
    for (const { 0: run, index } of view.text.matchAll(form)) {
      const found = [...run.replaceAll('0x', '  ').matchAll(digit)]
      const text = found.map(([each]) => String.fromCharCode(Number.parseInt(each, base))).join('')
      const startOf = (number: number) => index + (found[number]?.index ?? run.length)
      yield decodedView(text, (from, to) =>
        view.place(startOf(from), startOf(to - 1) + (found[to - 1]?.[0].length ?? 0)),
      )
    }
}

/** A line of a dump, such as `00000010: 7365 6372 6574  secret`. */
const DUMPED =
  /((?<!\w)(?:0x)?[0-9a-f]{4,16}:?[ \t]{1,4})((?:(?:[0-9a-f]{2}){1,4}[ \t]{1,2}){0,31}(?:[0-9a-f]{2}){1,4})(?:[ \t]{2}.*|[ \t]*\|.*|[ \t]*\r?)$/gim
const FEWEST_DUMPED = 8

function* fromDump(view: View): Generator<View> {
  let text = ''
  const starts: number[] = []
  /** The lines also show the text, after the bytes. */
  const ends: number[] = []
  for (const { 0: line, 1: before = '', 2: bytes = '', index } of view.text.matchAll(DUMPED))
    for (const { 0: byte, index: at } of bytes.matchAll(/[0-9a-f]{2}/gi)) {
      text += String.fromCharCode(Number.parseInt(byte, 16))
      starts.push(index + before.length + at)
      ends.push(index + line.length)
    }
  if (text.length >= FEWEST_DUMPED)
    yield decodedView(text, (from, to) => view.place(starts[from] ?? 0, ends[to - 1] ?? view.text.length))
}

const UNREADABLE = /[^\x20-\x7e\t\r\n]/g
/** The share of characters that need not be printable ASCII. */
const MOST_UNREADABLE = 0.15

function decodedView(text: string, place: View['place']): View {
  return { text, kind: isReadable(text) ? 'text' : 'bytes', place }
}

function isReadable(text: string): boolean {
  return (text.match(UNREADABLE)?.length ?? 0) <= text.length * MOST_UNREADABLE
}
