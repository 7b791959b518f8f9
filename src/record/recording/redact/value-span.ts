import { isWord } from './secret-names.js'
import type { Found } from './views.js'

/** What precedes a value: a type, the kind of a string, a function, a tag or the start of a block in YAML, a mark of a list. */
const BEFORE_VALUE =
  /(?:[&*]?[a-z][\w.<>[\]| ]{0,40}?\s{0,3}=\s{0,3}(?=["'`])|[|>][+-]?\d?\s{0,3}\n\s{0,40}|!!?\w{1,20}\s{1,3}|&\w{1,20}\s{1,3}|-\s{1,3}|\w[\w.:]{0,40}\(\s{0,3}(?=["'`])|\w[\w.-]{0,40}:\s{1,40}(?=\S))?(?:(?:[rbuf]{1,2}|\$)(?=["'`]))?/iy
/** Words that can precede a key in a header. */
const SCHEME = /(?:Bearer|Basic|Token|Key|Digest|Negotiate)\s{1,3}/iy
const CALL = /\w[\w.:]{0,40}\(\s{0,3}(?=["'`])/iy
/** These have several values in a line. */
const WHOLE_LINE = /^(?:(?:set-)?cookie|(?:proxy-)?authorization)$/i
const TO_LINE_END = /(?:[^\r\n"<>]|(?<==)"[^"\r\n<>]*")+/y
const AFTER_EQUALS = /[^\s&"<>`]+/y
const AFTER_COLON = /[^\s,;&<>"'`{}[\]]+/y
const QUOTED = /^(\\*)("{3}|'{3}|["'`“‘«])/
const CLOSING: Readonly<Record<string, string>> = { '“': '”', '‘': '’', '«': '»' }

/** Short values without quotation marks after a colon are prose. */
const SHORT = /^.{1,3}$/

/**
 * Where the value of a name is in a text, in or without quotation marks.
 * @param isColon whether it follows a colon, or another sign than an equals sign
 */
export function valueAt(text: string, from: number, name: string, isColon: boolean): Found | undefined {
  const at = from + spanLength(WHOLE_LINE.test(name) ? CALL : BEFORE_VALUE, text, from)
  const [, slashes = '', quote] = QUOTED.exec(text.slice(at, at + 9)) ?? []
  if (quote !== undefined) {
    const start = at + slashes.length + quote.length
    return {
      start,
      end: endOfQuoted(text, start, { slashes: slashes.length, quote: CLOSING[quote] ?? quote }),
    }
  }
  if (WHOLE_LINE.test(name)) return spanAt(TO_LINE_END, text, at)
  const start = at + spanLength(SCHEME, text, at)
  const span = spanAt(isColon ? AFTER_COLON : AFTER_EQUALS, text, start)
  return span !== undefined && isColon && isProse(text.slice(span.start, span.end)) ? undefined : span
}

/** Whether a value is a part of a sentence. Unquoted words after a colon are. */
export function isProse(value: string): boolean {
  return SHORT.test(value) || isWord(value)
}

/** The end of a quoted text, before the backslashes of its closing quotation mark: it may be a text in a quoted text. */
function endOfQuoted(
  text: string,
  start: number,
  { slashes, quote }: { readonly slashes: number; readonly quote: string },
): number {
  for (let at = text.indexOf(quote, start); at !== -1; at = text.indexOf(quote, at + 1)) {
    let before = 0
    while (at - 1 - before >= start && text[at - 1 - before] === '\\') before += 1
    if (slashes === 0 ? before % 2 === 0 : before === slashes) return at - (slashes === 0 ? 0 : before)
  }
  return text.length
}

/** What a sticky form matches at a place. */
export function spanAt(form: RegExp, text: string, start: number): Found | undefined {
  const length = spanLength(form, text, start)
  return length === 0 ? undefined : { start, end: start + length }
}

function spanLength(form: RegExp, text: string, start: number): number {
  form.lastIndex = start
  return form.exec(text)?.[0].length ?? 0
}
