import { yamlLanguage } from '@codemirror/lang-yaml'

/** A step of a path in a YAML document: a key, or 0 for any item of a list. */
export type Step = string | 0

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

/** Takes the place of the word at a position, so that the tree of an unfinished document has something there. */
const MARK = '""'

/** The word at the end of a line, which may begin with a quote, behind other texts in quotes. */
const WORD_BEFORE = /^(?:[^"']|"[^"]*"|'[^']*')*?("[^"]*"?|'[^']*'?|(?:[^\s,:[\]{}"'#]|:(?=\S))*)$/
const WORD_BEHIND = /^(?:[^\s,:[\]{}"'#]|:(?=\S))*/
const ENTRY_START = /^ *(?:- +)*$/

/** Describes a position; undefined in a comment and in a block text. */
export function contextAt(text: string, cursor: number): YamlContext | undefined {
  const line = text.slice(text.lastIndexOf('\n', cursor - 1) + 1, cursor)
  const [, word = ''] = WORD_BEFORE.exec(line) ?? []
  const column = line.length - word.length
  const from = cursor - word.length
  const to = cursor + restOfWord(word, text.slice(cursor))
  const isEntry = /^[ \t]*:(?:\s|$)/.test(text.slice(to))
  const nodeWith = (mark: string) => nodeAt(text.slice(0, from) + mark + text.slice(to), from)
  const plain = nodeWith(MARK)
  const isFlow = plain.ancestors.some(({ name }) => name.startsWith('Flow'))
  const isStart = !isFlow && ENTRY_START.test(line.slice(0, column))
  // With a colon, the word is an entry of the mapping to which its column belongs.
  const node = isStart && !isEntry ? nodeWith(`${MARK}:`) : plain
  if (node.name === 'Comment' || node.name === 'BlockLiteralContent') return undefined
  const { pair, keys } = node
  // Other texts swallow the mark. A key that follows a value in its line does so by mistake.
  const isNew = node.name === 'QuotedLiteral' && (pair === null || isFlow || isStart || isEntry)
  const isOnlyKey = isFlow || isEntry || keys.size > 0
  return {
    kind: !isNew ? 'none' : pair === null ? 'value' : isOnlyKey ? 'key' : 'either',
    path: node.path,
    from,
    to,
    word: unquoted(word),
    keys,
    isFlow,
    column,
    isEntry,
  }
}

/** The innermost part of a document at a position, and where it is. */
function nodeAt(text: string, position: number) {
  const node = yamlLanguage.parser.parse(text).resolveInner(position, 1)
  const ancestors = [node]
  for (let above = node.parent; above !== null; above = above.parent) ancestors.unshift(above)
  const keyOf = (pair: typeof node) => {
    const { from = 0, to = 0 } = pair.getChild('Key') ?? {}
    return unquoted(text.slice(from, to))
  }
  const entry = node.parent?.name === 'Key' ? node.parent.parent : null
  // The parser takes an item of an open list for an entry, of a mapping without a brace.
  const isItem = entry?.parent?.name === 'FlowMapping' && entry.prevSibling === null
  const pair = isItem ? null : entry
  const others = pair?.parent?.getChildren('Pair').filter(({ from }) => from !== pair.from) ?? []
  const steps = ancestors.filter(
    ({ name, from }) => name === 'Item' || (name === 'Pair' && from !== entry?.from),
  )
  return {
    name: node.name,
    ancestors,
    /** The entry whose key it is. */
    pair,
    /** The other keys of the mapping. */
    keys: new Set(others.map(keyOf)),
    path: steps.map((step): Step => (step.name === 'Item' ? 0 : keyOf(step))),
  }
}

function restOfWord(word: string, rest: string): number {
  const quote = /^["']/.exec(word)?.[0]
  if (quote === undefined) return WORD_BEHIND.exec(rest)?.[0].length ?? 0
  if (word.length > 1 && word.endsWith(quote)) return 0
  return (rest.split('\n', 1)[0]?.indexOf(quote) ?? -1) + 1
}

/** The text of a scalar without its quotes, of which the last may be missing. */
function unquoted(scalar: string): string {
  return scalar.replace(/^(["'])(.*?)\1?$/s, '$2')
}

const STEP = 2

/** How many spaces a new line after a position begins with. */
export function indentAfter(text: string, cursor: number): number {
  const before = text.slice(text.lastIndexOf('\n', cursor - 1) + 1, cursor)
  const [dashes = ''] = /^ *(?:- +)*/.exec(before) ?? []
  const isInText = contextAt(text, cursor) === undefined
  const opens = !isInText && dashes !== before && /(?::|[:-]\s+[|>][+-]?|[[{]|(?:^|\s)-)\s*$/.test(before)
  return dashes.length + (opens ? STEP : 0)
}
