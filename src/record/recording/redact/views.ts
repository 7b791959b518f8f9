import { decoded } from '../../../engine/secret-names.js'
import { MASK } from '../../../engine/secret-patterns.js'
import { encodedIn } from './encodings.js'
import type { Span, View } from './view.js'

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
  if (PLUS.test(view.text)) yield replaced(view, PLUSES, () => ' ')
  if (view.text.includes('\n')) yield replaced(view, LINE_BREAK, () => '')
  if (JOINT.test(view.text)) yield replaced(view, JOINTS, () => '')
  if (COMMA.test(view.text)) yield { ...replaced(view, COMMAS, () => ''), kind: 'list' }
  if (SPACED.test(view.text)) yield replaced(view, SPACE, () => '')
  yield* encodedIn(view)
}

const ESCAPED = /%[0-9a-f]{2}|\\[^\s]|&[#\w]{2,10};/i
/** Percent-encoding, escapes of strings in JSON and programs, and entities of HTML and XML. */
const ESCAPE =
  /((?:%c[2-9a-f]|%d[0-9a-f]|%e[0-9a-f]%[89ab][0-9a-f]|%f[0-4](?:%[89ab][0-9a-f]){2})%[89ab][0-9a-f])|%([0-9a-f]{2})|\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|u\{([0-9a-f]{1,6})\}|([^ux\s]))|&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,8}));/gi

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

/** A view without escapes. Percent-encoded bytes that are not UTF-8 become one character each. */
function unescaped(view: View): View {
  return replaced(view, ESCAPE, ([whole, utf8, percent, u, x, point, character, decimal, hex, entity]) => {
    if (utf8 !== undefined) return decoded(utf8)
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

/** A blank in a query or a form. */
const PLUS = /=[^\s&=+]*\+[^\s+]/
const PLUSES = /\+/g

/** A line break, and what precedes the text of the next line in a stream of events. */
const LINE_BREAK = /\r?\n[ \t]*(?:data: ?)?/g

/**
 * What can be within a text without belonging to it: characters without a width, also as their bytes in UTF-8, colors of a terminal, marks of a text
 * in bold, and what joins strings in programs, as in `"a" + "b"`.
 */
const JOINT =
  /[\u00ad\u200b-\u200d\u2060\ufeff]|\u00e2\u0080[\u008b-\u008d]|\u00c2\u00ad|\p{Cc}\[[\d;]{0,20}m|<\/?(?:b|i|u|em|strong|mark|span|wbr)(?:\s[^<>]{0,80})?\/?>|(?<!\*)\*\*(?!\*)|\]\]><!\[CDATA\[|(["'`])(?:\s{0,20}[+.]\s{0,20}|\s{1,20})\1/u
const JOINTS = new RegExp(JOINT, 'gu')

/** Letters with blanks or other signs between them: `s k - p r o j`. */
const SPACED = /(?<!\S)(?:\S[ .·-]){11,}\S/
const SPACE = /(?<=(?<![^\s.·-])\S)[ .·-](?=\S(?![^\s.·-]))/g

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
