import { type Document, LineCounter, parseDocument } from 'yaml'
import { excessOf, MOST_CHARACTERS, tooLong } from '../check/limits.js'
import { convert, type TextMistake } from './convert.js'
import { Places } from './places.js'
import { quoteStar, syntaxMistake } from './syntax-mistake.js'

/** A place in a text, counted from 1. */
interface Place {
  readonly line: number
  readonly column: number
}

/** What a text in YAML or JSON holds. */
export interface Yaml {
  readonly value: unknown
  /** Why it cannot be read; where there is anything, the value is incomplete. */
  readonly mistakes: readonly TextMistake[]
  placeOf(path: readonly PropertyKey[], atKey: boolean): Place
  placeAt(offset: number): Place
}

/** Reads one document, in a time that is linear in the length of the text. */
export function readYaml(text: string): Yaml {
  const lines = new LineCounter()
  const placeAt = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  if (text.length > MOST_CHARACTERS) {
    lines.addNewLine(0)
    const mistakes = [{ offset: 0, message: tooLong(text.length) }]
    return { value: undefined, mistakes, placeOf: () => placeAt(0), placeAt }
  }
  // The library compares every name with every other one to find duplicates; the conversion finds them faster.
  const options = { lineCounter: lines, prettyErrors: false, merge: true, uniqueKeys: false }
  const document = parseDocument(text, options)
  const { value, mistakes, targets } = convert(document)
  const places = new Places(document.contents, targets)
  return {
    value,
    mistakes: firstReasons(syntaxMistakes(document, text, placeAt), mistakes, value),
    placeOf: (path, atKey) => placeAt(places.offsetOf(path, atKey)),
    placeAt,
  }
}

/** Mistakes in the syntax make others of their own, so each kind is reported only where those before it are mended. */
function firstReasons(
  syntax: readonly TextMistake[],
  structure: readonly TextMistake[],
  value: unknown,
): readonly TextMistake[] {
  if (syntax.length > 0) return syntax
  if (structure.length > 0) return structure
  const excess = excessOf(value)
  return excess === undefined ? [] : [{ offset: 0, message: excess }]
}

function syntaxMistakes(
  { errors, warnings }: Document,
  text: string,
  placeAt: Yaml['placeAt'],
): TextMistake[] {
  // A name such as */video is an alias to YAML, and what follows it makes no sense to it.
  const stars = warnings.filter(({ code }) => code === 'BAD_ALIAS')
  if (stars.length > 0 && errors.length > 0) return stars.map(({ pos: [end] }) => starMistake(text, end))
  const lines = new Set<number>()
  return errors.flatMap((error) => {
    const [offset] = error.pos
    const { line } = placeAt(offset)
    if (lines.has(line)) return []
    lines.add(line)
    return [{ offset, message: syntaxMistake(error, text) }]
  })
}

/** @param end the last character of the name that begins with a star */
function starMistake(text: string, end: number): TextMistake {
  const offset = text.lastIndexOf('*', end)
  return { offset, message: quoteStar(text.slice(offset + 1, end)) }
}
