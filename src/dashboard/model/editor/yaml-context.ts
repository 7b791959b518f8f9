import { type Step, unquoted, YamlScanner } from './yaml-scanner.js'

/** What belongs at a position of a YAML document. */
export interface YamlContext {
  /** `either`: a value or the first key of a mapping; `none`: nothing new, such as after a value. */
  readonly kind: 'key' | 'value' | 'either' | 'none'
  /** The path of the mapping of a key, or of the value. */
  readonly path: readonly Step[]
  /** The range of the word at the position. */
  readonly from: number
  readonly to: number
  /** The part of the word before the position, without a quote. */
  readonly word: string
  /** The other keys of the mapping. */
  readonly keys: ReadonlySet<string>
  /** Whether the position is in braces or brackets. */
  readonly isFlow: boolean
  /** The column in which an entry at the position begins. */
  readonly column: number
  /** Whether the word has a colon behind it. */
  readonly isEntry: boolean
}

/** Describes a position; undefined in a comment and in a block text. */
export function contextAt(text: string, cursor: number): YamlContext | undefined {
  const scanner = new YamlScanner()
  scanner.read(text.slice(0, cursor))
  const { place, word, column, valuePath, flow } = scanner
  if (place === 'comment' || place === 'block text') return undefined
  const to = cursor + restOfWord(word, text.slice(cursor))
  const collection = place === 'line start' ? scanner.collectionAt(column, 'mapping') : flow
  const isKey = collection?.kind === 'mapping' && (place === 'line start' || collection.key === undefined)
  const path = isKey ? collection.path : valuePath
  scanner.read(text.slice(flow === undefined ? endOfLine(text, cursor) : to))
  // After a colon, a value needs a space first.
  const isAtEnd = place === 'end' || (!isKey && word === '' && text.charAt(cursor - 1) === ':')
  const keys = collection?.keys ?? new Set()
  const isEntry = /^[ \t]*:(?:\s|$)/.test(text.slice(to))
  const isOnlyKey = flow !== undefined || keys.size > 0 || isEntry
  return {
    kind: isAtEnd ? 'none' : !isKey ? 'value' : isOnlyKey ? 'key' : 'either',
    path,
    from: cursor - word.length,
    to,
    word: unquoted(word),
    keys,
    isFlow: flow !== undefined,
    column,
    isEntry,
  }
}

/** The path of the key at a position, or of the key whose value is there. */
export function keyAt(text: string, cursor: number): readonly Step[] {
  const context = contextAt(text, cursor)
  if (context === undefined) return []
  const { kind, path, from, to, isEntry } = context
  const word = unquoted(text.slice(from, to))
  return kind !== 'value' && kind !== 'none' && isEntry ? [...path, word] : path
}

function restOfWord(word: string, rest: string): number {
  const quote = /^["']/.exec(word)?.[0]
  if (quote === undefined) return /^(?:[^\s,:[\]{}#"']|:(?=\S))*/.exec(rest)?.[0].length ?? 0
  if (word.length > 1 && word.endsWith(quote)) return 0
  const end = rest.split('\n', 1)[0]?.indexOf(quote) ?? -1
  return end + 1
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end === -1 ? text.length : end + 1
}

const STEP = 2

/** The spaces with which a new line after a position begins. */
export function indentAfter(text: string, cursor: number): string {
  const before = text.slice(text.lastIndexOf('\n', cursor - 1) + 1, cursor)
  const [, dashes = ''] = /^( *(?:- +)*)/.exec(before) ?? []
  const isInText = contextAt(text, cursor) === undefined
  const opens = !isInText && dashes !== before && /(?::|[:-]\s+[|>][+-]?|[[{]|(?:^|\s)-)\s*$/.test(before)
  return ' '.repeat(dashes.length + (opens ? STEP : 0))
}
