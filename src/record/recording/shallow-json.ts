import { type JsonValue, parseJson } from '../../engine/json.js'

const MOST_LEVELS = 100
/** What replaces a list or an object that is nested too deep. */
const TOO_DEEP = `[nested more than ${MOST_LEVELS} levels deep]`
const CHARACTERS = /["[\]{}]/g

/**
 * Parses a JSON text. Lists and objects below 100 levels become a text, because functions that call themselves
 * for each level would exhaust the stack.
 * @returns undefined if the text is not JSON
 */
export function parseShallow(text: string): JsonValue | undefined {
  const shallow = withoutDepths(text)
  return shallow === undefined ? undefined : parseJson(shallow)
}

/** Texts after the start of JSON that does not end are only searched for this many further ones. */
const MOST_UNENDING = 8
const START = /[[{](?=\s{0,9}["[{])/g

/** The JSON in a text: lists and objects that contain texts. */
export function* jsonIn(text: string): Generator<JsonValue, void, void> {
  let unending = 0
  START.lastIndex = 0
  for (let from = START.exec(text)?.index; from !== undefined; from = nextStart(text, from)) {
    const end = endOf(text, from)
    const json = end === undefined ? undefined : parseShallow(text.slice(from, end))
    if (json !== undefined) yield json
    if (end === undefined && ++unending > MOST_UNENDING) return
    from = json === undefined ? from : (end ?? from) - 1
  }
}

function nextStart(text: string, after: number): number | undefined {
  START.lastIndex = after + 1
  return START.exec(text)?.index
}

/** The index after a list or an object. */
function endOf(text: string, start: number): number | undefined {
  let level = 0
  CHARACTERS.lastIndex = start
  for (let found = CHARACTERS.exec(text); found !== null; found = CHARACTERS.exec(text)) {
    if (found[0] === '"') CHARACTERS.lastIndex = endOfString(text, found.index)
    else level += found[0] === '[' || found[0] === '{' ? 1 : -1
    if (level === 0) return found.index + 1
  }
  return undefined
}

/** @returns undefined if a list or an object that is nested too deep does not end */
function withoutDepths(text: string): string | undefined {
  let kept = ''
  let from = 0
  let level = 0
  CHARACTERS.lastIndex = 0
  for (let found = CHARACTERS.exec(text); found !== null; found = CHARACTERS.exec(text)) {
    const { index } = found
    switch (found[0]) {
      case '"':
        CHARACTERS.lastIndex = endOfString(text, index)
        break
      case '[':
      case '{':
        level += 1
        if (level === MOST_LEVELS + 1) kept += text.slice(from, index) + JSON.stringify(TOO_DEEP)
        break
      default:
        if (level === MOST_LEVELS + 1) from = index + 1
        level -= 1
    }
  }
  return level > MOST_LEVELS ? undefined : kept + text.slice(from)
}

/** The index after the quotation mark at which a string ends. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return at + 1
  }
  return text.length
}

/** All texts in a value, without the names of fields. */
export function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
