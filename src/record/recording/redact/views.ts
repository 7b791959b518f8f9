import { MASK } from '../../../engine/secret-patterns.js'

/** A part of a text, from its first character to the one after its last. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A text as it reads when it is decoded, and where its parts are in the original. */
export interface View {
  readonly text: string
  /**
   * What it can contain: `text` anything; `list`, whose parts belong to different values, only secrets of a known form;
   * `bytes`, which only happen to be base64, only secrets that are known.
   */
  readonly kind: 'text' | 'list' | 'bytes'
  /** Where the characters from `start` to `end` are in the original. */
  place(start: number, end: number): Span
}

/** How often a text may be encoded: a URL in a parameter of a URL in JSON in base64. */
const DEEPEST = 4
/** Characters of all views for each character of the text, for texts that can be read in many ways. */
const MOST_VIEWED = 16
const FEW = 4_096

/** The text itself, and what it reads when it is decoded. Each character of a view has its place in the text. */
export function viewsOf(text: string): readonly View[] {
  const views: View[] = [{ text, kind: 'text', place: (start, end) => ({ start, end }) }]
  let left = MOST_VIEWED * text.length + FEW
  let first = 0
  for (let depth = 0; depth < DEEPEST; depth++) {
    const end = views.length
    for (const view of views.slice(first, end)) {
      if (view.kind !== 'text') continue
      for (const decoded of decodings(view)) {
        left -= decoded.text.length
        if (left < 0) return views
        views.push(decoded)
      }
    }
    first = end
  }
  return views
}

function* decodings(view: View): Generator<View> {
  if (ESCAPED.test(view.text)) yield unescaped(view)
  if (view.text.includes('\n')) yield replaced(view, LINE_BREAK, () => '')
  if (JOINT.test(view.text)) yield replaced(view, JOINTS, () => '')
  if (COMMA.test(view.text)) yield { ...replaced(view, COMMAS, () => ''), kind: 'list' }
  yield* fromBase64(view)
  yield* fromBase32(view)
  yield* fromHex(view)
  yield* fromNumbers(view)
}

const ESCAPED = /%[0-9a-f]{2}|\\[^\s]|&[#\w]{2,10};/i
/** Percent-encoding, escapes of strings in JSON and programs, and entities of HTML and XML. */
const ESCAPE =
  /%([0-9a-f]{2})|\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|u\{([0-9a-f]{1,6})\}|([^ux\s]))|&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,8}));/gi

const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  sol: '/',
  bsol: '\\',
  colon: ':',
  equals: '=',
  commat: '@',
  quest: '?',
  num: '#',
  percnt: '%',
  plus: '+',
  lowbar: '_',
  hyphen: '-',
  dash: '-',
  period: '.',
  nbsp: ' ',
  NewLine: '\n',
  Tab: '\t',
}

/** A view without escapes. Characters that are not ASCII become those of their bytes in UTF-8 if they are percent-encoded. */
function unescaped(view: View): View {
  return replaced(view, ESCAPE, ([whole, percent, u, x, point, character, decimal, hex, entity]) => {
    const code = percent ?? u ?? x ?? point ?? hex
    if (code !== undefined) return fromCode(Number.parseInt(code, 16))
    if (character !== undefined) return CONTROLS[character] ?? character
    if (decimal !== undefined) return fromCode(Number(decimal))
    return ENTITIES[entity ?? ''] ?? whole
  })
}

function fromCode(code: number): string {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '\uFFFD'
}

/** A line break, and what precedes the text of the next line in a stream of events. */
const LINE_BREAK = /\r?\n[ \t]*(?:data: ?)?/g

/**
 * What can be within a text without belonging to it: characters without a width, also as their bytes in UTF-8, colors of a terminal, marks of a text
 * in bold, and what joins strings in programs, as in `"a" + "b"`.
 */
const JOINT =
  /[\u00ad\u200b-\u200d\u2060\ufeff]|\u00e2\u0080[\u008b-\u008d]|\u00c2\u00ad|\p{Cc}\[[\d;]{0,20}m|<\/?(?:b|i|u|em|strong|mark|span|wbr)(?:\s[^<>]{0,80})?\/?>|(?<!\*)\*\*(?!\*)|\]\]><!\[CDATA\[|(["'`])(?:\s{0,20}[+.]\s{0,20}|\s{1,20})\1/u
const JOINTS = new RegExp(JOINT, 'gu')

/** Between the strings of a list. */
const COMMA = /(["'`])\s{0,9},\s{0,9}\1(?=[^"'`]{0,200}\1\s{0,9}[,\]])/
const COMMAS = new RegExp(COMMA, 'g')

/** A view with other texts in place of all matches. */
function replaced(view: View, form: RegExp, change: (found: RegExpExecArray) => string): View {
  const starts = new Uint32Array(view.text.length + 1)
  let text = ''
  let copied = 0
  const copy = (end: number) => {
    for (let at = copied; at < end; at++) starts[text.length + at - copied] = at
    text += view.text.slice(copied, end)
  }
  form.lastIndex = 0
  for (let found = form.exec(view.text); found !== null; found = form.exec(view.text)) {
    copy(found.index)
    const changed = change(found)
    starts.fill(found.index, text.length, text.length + changed.length)
    text += changed
    copied = found.index + found[0].length
  }
  copy(view.text.length)
  starts[text.length] = view.text.length
  return {
    text,
    kind: 'text',
    place: (start, end) => view.place(starts[start] ?? 0, starts[end] ?? view.text.length),
  }
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

const UNREADABLE = /[^\x20-\x7e\t\r\n]/g
/** The share of characters that need not be printable ASCII. */
const MOST_UNREADABLE = 0.15

function decodedView(text: string, place: View['place']): View {
  return { text, kind: isReadable(text) ? 'text' : 'bytes', place }
}

function isReadable(text: string): boolean {
  return (text.match(UNREADABLE)?.length ?? 0) <= text.length * MOST_UNREADABLE
}

/** A part of a text that must not be written. */
export interface Found extends Span {
  /** What replaces it; a mask if undefined. */
  readonly replacement?: string | undefined
  /** Whether it was found by the name of a secret or by its form, so that it must not be anywhere else. */
  readonly isSecret?: boolean
}

/** Replaces parts of a text. Parts that overlap become one; if none contains the others, a mask replaces it. */
export function replaceFound(text: string, found: readonly Found[]): string {
  const sorted = found
    .filter(({ start, end }) => end > start)
    .sort((one, other) => one.start - other.start || other.end - one.end)
  let replaced = ''
  let copied = 0
  for (let index = 0; index < sorted.length; ) {
    const first = sorted[index] ?? { start: 0, end: 0 }
    let { end } = first
    for (index++; (sorted[index]?.start ?? Infinity) < end; index++)
      end = Math.max(end, sorted[index]?.end ?? 0)
    replaced += text.slice(copied, first.start) + (end === first.end ? (first.replacement ?? MASK) : MASK)
    copied = end
  }
  return replaced + text.slice(copied)
}
