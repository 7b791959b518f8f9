import { hasSecretStem } from '../../../engine/secret-names.js'
import { MASK } from '../../../engine/secret-patterns.js'
import { inElements } from './find-in-elements.js'
import { inTables } from './find-in-tables.js'
import { isSecretField, isSecretHeader, isSecretParameter, isWord } from './secret-names.js'
import { isProse, spanAt, valueAt } from './value-span.js'
import type { Found } from './views.js'

/** Between a name and its value. */
const SEPARATOR = /[:=<|?→：＝]|->/
const BLANK = /\s/
/**
 * A name and what separates it from its value, as in `api_key=`, `"password": "`, `X-Api-Key: `, `user[pin]=`,
 * `**pin**: `, `env.PIN || `, `| pin | ` and `pin -> `.
 */
const NAME =
  /(?<![\w$]|[\w$]-)((?:(?:api|access|account|auth|client|encryption|licen[cs]e|master|private|recovery|secret|seed|service|shared|signing|storage) )?[a-z_$][\w$.-]{1,79})(?:\\?["'`\]*”’»]|%5D)*\s{0,9}(=>|:=|[:=!]={1,2}|=~|[:=：＝]|[|?]{2}|[-=]>|[→|])\**[\s|]{0,9}/gi
/** A name in quotation marks and a value, as in `set('pin', 'x')`; or a name and a value in quotation marks, as in `pin "x"`. */
const BESIDE =
  /(?:[({[]\s{0,3}(["'`]?)([a-z_$][\w$.-]{1,79})\1\s{0,3},|(?<![\w$]|[\w$]-)([a-z_$][\w$.-]{1,79})(?:\s{1,3}\.)?)\s{1,3}[rbuf]?(?=["'`][^\s"'`]{8,})/gi
/** A sentence such as `my pin is x`, whose value is not a word. */
const IS =
  /(?<![\w$]|[\w$]-)((?:[a-z]{1,20}[ -])?[a-z_$][\w$.-]{1,79})\s{1,3}(?:is|was|are|equals)(?:\s{1,3}(?:now|still|set to))?:?\s{1,3}(?![\d.,:-]{1,12}(?:\s|[.,;!?]|$)|https?:)/gi
/**
 * An option of a command, a variable or a setting, and its value, as in `--pin x`, `ENV PIN x`, `HSET user:1 pin x` or
 * `machine a login b password x`.
 */
const OPTION =
  /(?<![\w.-])(?:--?|(?:env|arg|setx?|setenv|export|proxy_set_header|config\s{1,3}set|hm?set(?:nx)?\s{1,3}\S{1,80})\s{1,3}|login\s{1,3}\S{1,80}\s{1,3})([a-z_$][\w$.-]{1,79})\s{1,3}(?!-)/gi
/** A name and a value in a line of columns. */
const COLUMN = /(?<![\w$]|[\w$]-)([a-z_$][\w$.-]{1,79})\t{1,3}(?=\S)/gi
/** A value before its name, as in `use x as the password`. */
const AS = /\s{1,3}as\s{1,3}(?:the|your|my|our|its|an?)\s{1,3}((?:[a-z]{1,20}[ -])?[a-z_$][\w$.-]{1,79})/gi
const LONGEST_BEFORE = 200
/** The password of a user in SQL. */
const IDENTIFIED = /\bidentified\s{1,3}(?:with\s{1,3}\S{1,80}\s{1,3})?(?:by|as)\s{1,3}(?:password\s{1,3})?/gi
/** A text of several lines in a shell or in Terraform. */
const HEREDOC =
  /(?:\$\(\s{0,3}cat\s{1,3})?<<[-~]?["'`]?(\w{1,40})["'`]?\r?\n([\s\S]{1,2000}?)\r?\n\s{0,40}\1\b/y
/** A user name before the password of a command. */
const USER = /(?<!\S)(?:-u|--(?:proxy-)?user)[ =]["']?[^\s:"']{1,80}:/g
const PASSWORD = /[^\s&"<>`]+/y
/** A value after another sign than a colon or an equals sign. */
const LONG = /^[^|]{8,}$/
/** The name and the value of a pair, as in `{"name":"API_KEY","value":"x"}` or `<param name="pin" value="x"/>`. */
const PAIR =
  /\b(?:name|key|header|field|param)["']?\s{0,3}[:=]\s{0,3}["']([^"'<>]{1,80})["']([^<>"']{0,40}|[^<>]{0,40}["'])\b(?:value|val|content)["']?\s{0,3}[:=]\s{0,3}(["'])/gi
/** The same with the value before the name. */
const REVERSED_PAIR =
  /\b((?:value|val|content)["']?\s{0,3}[:=]\s{0,3}["'])([^"'<>]{1,2000})["'][^<>"']{0,40}["']?\b(?:name|key|header|field|param)["']?\s{0,3}[:=]\s{0,3}["']([^"'<>]{1,80})["']/gi
/** The same without quotation marks, as in YAML. */
const PLAIN_PAIR =
  /\b(?:name|key)\s{0,3}[:=]\s{0,3}["']?([\w.-]{1,80})["']?\s{0,3}[,\n]\s{0,40}(?:value|val|default)\s{0,3}[:=]\s{0,3}(?=["']?[^\s"',}])/gi
const PLAIN_REVERSED_PAIR =
  /(\b(?:value|val)\s{0,3}[:=]\s{0,3}["']?)([^\s"',}]{1,2000})["']?\s{0,3}[,\n]\s{0,40}(?:name|key)\s{0,3}[:=]\s{0,3}["']?([\w.-]{1,80})/gi
/** The line with the name of a part of a multipart body. */
const PART = /content-disposition:[^\r\n]*/gi
/** Characters in which the end of a part is looked for. */
const LONGEST_PART = 2_000
/** The characters of the head of a part in which its end is looked for. */
const LONGEST_HEAD = 1_000
const PART_TEXT = /\s*[^\r\n]+/y

const WITH_SEPARATOR = [assigned, inElements, inPairs, inReversedPairs, inPlainPairs, inParts]

/** Finds the values of secrets by their names in a text of any notation: code, headers, forms, XML, configuration. */
export function findNamed(text: string): Found[] {
  const finders = SEPARATOR.test(text)
    ? [...WITH_SEPARATOR, beside, inTables]
    : BLANK.test(text)
      ? [beside, inTables]
      : []
  return finders
    .flatMap((find) => [...find(text)])
    .filter(
      ({ start, end }) =>
        end > start && text.slice(start, end) !== MASK && !text.startsWith('[redacted ', start),
    )
}

function* assigned(text: string): Generator<Found> {
  NAME.lastIndex = 0
  for (let found = NAME.exec(text); found !== null; found = NAME.exec(text)) {
    const [, name = '', separator = ''] = found
    const start = NAME.lastIndex
    if (!isSecretHeader(name) || text.startsWith('//', start)) continue
    const span = heredocAt(text, start) ?? valueAt(text, start, name, separator !== '=')
    if (span === undefined || (!/^[:=]/.test(separator) && !LONG.test(text.slice(span.start, span.end))))
      continue
    const isParameter = separator === '=' && /^$|[?&;]/.test(text[found.index - 1] ?? '')
    const value = text.slice(span.start, span.end)
    const isSecret = isParameter ? isSecretParameter(name, value) : isSecretField(name, value)
    if (!isSecret) continue
    yield { ...span, isSecret: true }
    NAME.lastIndex = Math.max(span.end, start)
  }
}

/** Finds values that follow their name without a sign between them. Words do not count: they may be a sentence. */
function* beside(text: string): Generator<Found> {
  for (const form of [BESIDE, IS, OPTION, COLUMN])
    for (const { 0: whole, 1: first = '', 2: second, 3: third, index } of text.matchAll(form)) {
      const name = form === BESIDE ? (second ?? third ?? '') : first
      if (!isSecretHeader(name)) continue
      const span = valueAt(text, index + whole.length, name, true)
      const value = span && text.slice(span.start, span.end)
      if (span !== undefined && value !== undefined && !isProse(value) && isSecretField(name, value))
        yield { ...span, isSecret: true }
    }
  for (const form of [USER, IDENTIFIED])
    for (const { 0: whole, index } of text.matchAll(form)) {
      const start = index + whole.length
      const span = form === USER ? spanAt(PASSWORD, text, start) : valueAt(text, start, 'password', true)
      if (span !== undefined) yield { ...span, isSecret: true }
    }
  for (const { 1: name = '', index } of text.matchAll(AS)) {
    if (!isSecretHeader(name)) continue
    const before = text.slice(Math.max(0, index - LONGEST_BEFORE), index)
    const [whole = '', value = ''] = /([^\s"'`]{8,})["'`]?$/.exec(before) ?? []
    const start = index - whole.length
    if (!isProse(value) && isSecretField(name, value))
      yield { start, end: start + value.length, isSecret: true }
  }
}

function heredocAt(text: string, start: number): Found | undefined {
  HEREDOC.lastIndex = start
  const [whole, , content = ''] = HEREDOC.exec(text) ?? []
  if (whole === undefined) return undefined
  const at = start + whole.indexOf('\n') + 1
  return { start: at, end: at + content.length }
}

function* inPairs(text: string): Generator<Found> {
  for (const { 0: whole, 1: name = '', 3: quote = '"', index } of text.matchAll(PAIR)) {
    if (!isSecretHeader(name)) continue
    const start = index + whole.length
    const end = text.indexOf(quote, start)
    yield { start, end: end === -1 ? text.length : end, isSecret: true }
  }
}

function* inReversedPairs(text: string): Generator<Found> {
  for (const form of [REVERSED_PAIR, PLAIN_REVERSED_PAIR])
    for (const { 1: before = '', 2: value = '', 3: name = '', index } of text.matchAll(form)) {
      const start = index + before.length
      if (isSecretHeader(name)) yield { start, end: start + value.length, isSecret: true }
    }
}

function* inPlainPairs(text: string): Generator<Found> {
  for (const { 0: whole, 1: name = '', index } of text.matchAll(PLAIN_PAIR)) {
    const span = isSecretHeader(name) ? valueAt(text, index + whole.length, name, true) : undefined
    if (span !== undefined) yield { ...span, isSecret: true }
  }
}

function* inParts(text: string): Generator<Found> {
  for (const { 0: line, index } of text.matchAll(PART)) {
    const name = /\bname\*?=["']?(?:utf-8'[^']*')?([^"';]{1,80})/i.exec(line)?.[1] ?? ''
    const start = index + line.length
    const [head] = /^[\s\S]*?\n\r?\n/.exec(text.slice(start, start + LONGEST_HEAD)) ?? []
    const span = head === undefined ? undefined : textOfPart(text, start + head.length)
    if (span !== undefined && isSecretField(name, text.slice(span.start, span.end)))
      yield { ...span, isSecret: true }
  }
}

/** The text of a part to its end, or its first line if the end is far away. */
function textOfPart(text: string, start: number): Found | undefined {
  const length = text.slice(start, start + LONGEST_PART).search(/\r?\n--/)
  return length > 0 ? { start, end: start + length } : spanAt(PART_TEXT, text, start)
}

/** Two segments of a path, the first of which may name the second. */
const SEGMENTS = /(?<=[\\/])([a-z_$][\w$.-]{1,79})[\\/](?=([^\s\\/?#"'`<>&,;:()[\]{}]{4,200}))/gi
/** Names of a part of a path that often say nothing about what follows. */
const PARTS = new Set('private connection license licence auth authn oauth pass cookie'.split(' '))
const VERSION = /^v\d[\w.]*$/i

/**
 * Finds secrets in paths, such as `/password/x` or `/token/x`. Words are kept: they are often operations.
 * @param isOperation whether a path of the service has this segment
 */
export function* findInPaths(text: string, isOperation: (segment: string) => boolean): Generator<Found> {
  for (const { 0: before, 1: name = '', 2: value = '', index } of text.matchAll(SEGMENTS)) {
    if (!isSecretSegment(name) || isOperation(name) || isWord(value) || VERSION.test(value)) continue
    const start = index + before.length
    yield { start, end: start + value.length, isSecret: true }
  }
}

function isSecretSegment(name: string): boolean {
  return hasSecretStem(name) && !PARTS.has(name.toLowerCase())
}
