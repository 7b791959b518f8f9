import { isSecretField, isSecretHeader } from './secret-names.js'
import { isProse, spanAt } from './value-span.js'
import type { Found } from './views.js'

/** An element of XML with its value, as in `<password>x</password>`. */
const ELEMENT = /<([\w:.-]{1,80})(?:\s[^<>]{0,400})?>/g
const PASSWORD_INPUT = /\stype\s{0,3}=\s{0,3}["']?password\b/i
const ATTRIBUTE =
  /(\s(?:value|val|content|password|default)\s{0,3}=\s{0,3}["']?)(?:(?<=")[^"]+|(?<=')[^']+|(?<==\s{0,3})[^\s"'>]+)/gi
/** Characters in which the end of an element is looked for. */
const LONGEST_ELEMENT = 2_000
const CDATA = /^<!\[CDATA\[([\s\S]*)\]\]>$/
const ELEMENT_TEXT = /(?:<!\[CDATA\[)?[^<]*/y
/** The same with elements: `<key>pin</key><string>x</string>`. */
const PAIR_OF_ELEMENTS =
  /<(?:name|key)>\s{0,9}([^<>]{1,80})<\/(?:name|key)>\s{0,40}<(?:value|val|string)(?:\s[^<>]{0,80})?>/gi
/** An element whose text may be a name, such as `<th>pin</th>` or `<label>API key:</label>`. */
const NAMING = /<([a-z][\w:.-]{0,40})(?:\s[^<>]{0,200})?>\s{0,9}([a-z][\w .-]{1,40}):?\s{0,9}<\/\1>/gi
/** The tags between a name and its value. */
const TAGS = /\s{0,40}(?:<[^<>]{1,400}>\s{0,40}){1,5}/y

/** Finds the values of secrets in XML and HTML, by the names of elements, by attributes, or by the texts of other elements. */
export function* inElements(text: string): Generator<Found> {
  yield* inNamedElements(text)
  yield* inPairsOfElements(text)
  yield* afterNames(text)
}

function* inNamedElements(text: string): Generator<Found> {
  ELEMENT.lastIndex = 0
  for (let found = ELEMENT.exec(text); found !== null; found = ELEMENT.exec(text)) {
    const [whole, name = ''] = found
    const start = found.index + whole.length
    const plain = name.replace(/^.*:/, '')
    const named = /\b(?:name|key|id|label|title)\s{0,3}=\s{0,3}["']?([^\s"'>]{1,80})/i.exec(whole)?.[1]
    const isNamed = named !== undefined && isSecretHeader(named)
    const isSecretElement = isNamed || isSecretHeader(plain)
    if (isSecretElement || PASSWORD_INPUT.test(whole)) yield* valuesOfAttributes(whole, found.index)
    if (!isSecretElement || whole.endsWith('/>')) continue
    const length = text.slice(start, start + LONGEST_ELEMENT).indexOf(`</${name}`)
    const span = length === -1 ? spanAt(ELEMENT_TEXT, text, start) : { start, end: start + length }
    if (span === undefined) continue
    const isSecret = isNamed || isSecretField(plain, text.slice(span.start, span.end).replace(CDATA, '$1'))
    if (!isSecret) continue
    yield { ...span, isSecret: true }
    ELEMENT.lastIndex = Math.max(span.end, start)
  }
}

/** The values in an element that is or names a secret. */
function* valuesOfAttributes(element: string, at: number): Generator<Found> {
  for (const { 0: whole, 1: before = '', index } of element.matchAll(ATTRIBUTE))
    yield { start: at + index + before.length, end: at + index + whole.length, isSecret: true }
}

function* inPairsOfElements(text: string): Generator<Found> {
  for (const { 0: whole, 1: name = '', index } of text.matchAll(PAIR_OF_ELEMENTS)) {
    const span = isSecretHeader(name.trim()) ? spanAt(ELEMENT_TEXT, text, index + whole.length) : undefined
    if (span !== undefined) yield { ...span, isSecret: true }
  }
}

/** Finds the texts and values that follow the name of a secret. Words do not count: they may be another name. */
function* afterNames(text: string): Generator<Found> {
  for (const { 0: whole, 2: name = '', index } of text.matchAll(NAMING)) {
    if (!isSecretHeader(name)) continue
    const tags = spanAt(TAGS, text, index + whole.length)
    if (tags === undefined) continue
    yield* valuesOfAttributes(text.slice(tags.start, tags.end), tags.start)
    const span = spanAt(ELEMENT_TEXT, text, tags.end)
    if (
      span !== undefined &&
      !isProse(
        text
          .slice(span.start, span.end)
          .trim()
          .replace(/[.,;:!?]$/, ''),
      )
    )
      yield { ...span, isSecret: true }
  }
}
