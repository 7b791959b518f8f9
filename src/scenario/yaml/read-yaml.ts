import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
} from 'yaml'
import { excessOf, MAX_CHARACTERS, tooLong } from '../check/limits.js'
import { convert, isMergeKey, type TextMistake } from './convert.js'
import { quoteStar, syntaxMistake } from './syntax-mistake.js'

/** A position in a text. Both numbers start at 1. */
interface Position {
  readonly line: number
  readonly column: number
}

/** The content of a text in YAML or JSON. */
export interface Yaml {
  readonly value: unknown
  /** The mistakes. With any mistake, the value is incomplete. */
  readonly mistakes: readonly TextMistake[]
  positionOf(path: readonly PropertyKey[], atKey: boolean): Position
  positionAt(offset: number): Position
}

/** Parses one document in linear time. @param noun what the text describes, for messages */
export function readYaml(text: string, noun = 'scenario'): Yaml {
  const lines = new LineCounter()
  const positionAt = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  if (text.length > MAX_CHARACTERS) {
    lines.addNewLine(0)
    const mistakes = [{ offset: 0, message: tooLong(text.length, noun) }]
    return { value: undefined, mistakes, positionOf: () => positionAt(0), positionAt }
  }
  // `convert` finds duplicate names in linear time, unlike the library.
  const options = { lineCounter: lines, prettyErrors: false, merge: true, uniqueKeys: false }
  const document = parseDocument(text, options)
  const { value, mistakes, targets } = convert(document)
  const positions = new PositionFinder(document.contents, targets)
  return {
    value,
    mistakes: firstKind(
      syntaxMistakes(document, { text, noun, positionAt }),
      mistakes,
      excessOf(value, noun),
    ),
    positionOf: (path, atKey) => positionAt(positions.offsetOf(path, atKey)),
    positionAt,
  }
}

/** Returns the mistakes of the first kind that has any, because they may cause mistakes of the other kinds. */
function firstKind(
  syntax: readonly TextMistake[],
  structure: readonly TextMistake[],
  excess: string | undefined,
): readonly TextMistake[] {
  if (syntax.length > 0) return syntax
  if (structure.length > 0) return structure
  return excess === undefined ? [] : [{ offset: 0, message: excess }]
}

function syntaxMistakes(
  { errors, warnings }: Document,
  { text, noun, positionAt }: Pick<Yaml, 'positionAt'> & { readonly text: string; readonly noun: string },
): TextMistake[] {
  // YAML reads a name such as */video as an alias, and then fails at the text after it.
  const stars = warnings.filter(({ code }) => code === 'BAD_ALIAS')
  if (stars.length > 0 && errors.length > 0) return stars.map(({ pos: [end] }) => starMistake(text, end))
  const lines = new Set<number>()
  return errors.flatMap((error) => {
    const [offset] = error.pos
    const { line } = positionAt(offset)
    if (lines.has(line)) return []
    lines.add(line)
    return [{ offset, message: syntaxMistake(error, text, noun) }]
  })
}

/** @param end the last character of the name that starts with `*` */
function starMistake(text: string, end: number): TextMistake {
  const offset = text.lastIndexOf('*', end)
  return { offset, message: quoteStar(text.slice(offset + 1, end)) }
}

/** Finds the positions of values in a text. */
class PositionFinder {
  readonly #root: unknown
  readonly #targets: ReadonlyMap<Node, Node>
  /** A cache of the fields of mappings, by name. */
  readonly #fields = new Map<YAMLMap, ReadonlyMap<string, Pair>>()

  /** @param targets the targets of aliases */
  constructor(root: unknown, targets: ReadonlyMap<Node, Node>) {
    this.#root = root
    this.#targets = targets
  }

  /**
   * Returns the offset of the value at a path, or of the nearest value that encloses it.
   * @param atKey whether to return the offset of the field name instead
   */
  offsetOf(path: readonly PropertyKey[], atKey: boolean): number {
    let node = this.#root
    let offset = startOf(node) ?? 0
    let keyOffset: number | undefined
    for (const step of path) {
      const { key, value } = this.#child(node, step)
      keyOffset = startOf(key)
      offset = startOf(value) ?? offset
      node = value
    }
    return atKey ? (keyOffset ?? offset) : offset
  }

  #child(parent: unknown, step: PropertyKey): { key?: unknown; value: unknown } {
    const node = isNode(parent) ? (this.#targets.get(parent) ?? parent) : undefined
    if (isSeq(node)) return { value: node.items[Number(step)] }
    return (isMap(node) ? this.#fieldsOf(node).get(String(step)) : undefined) ?? { value: undefined }
  }

  #fieldsOf(map: YAMLMap): ReadonlyMap<string, Pair> {
    const cached = this.#fields.get(map)
    if (cached !== undefined) return cached
    const merged = map.items
      .filter(({ key }) => isMergeKey(key))
      .flatMap(({ value }) => this.#mappingsIn(value))
    const inherited = merged.reverse().flatMap((mapping) => [...this.#fieldsOf(mapping)])
    const own = map.items.map((pair) => [nameOf(pair.key), pair] as const)
    const fields = new Map([...inherited, ...own])
    this.#fields.set(map, fields)
    return fields
  }

  /** The mappings that a merge key merges; the first one overrides the others. */
  #mappingsIn(source: unknown): YAMLMap[] {
    const node = isNode(source) ? (this.#targets.get(source) ?? source) : undefined
    if (isMap(node)) return [node]
    return isSeq(node) ? node.items.flatMap((item) => this.#mappingsIn(item)) : []
  }
}

function nameOf(key: unknown): string {
  return String(isScalar(key) ? (key.value ?? '') : key)
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined
}
