import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type YAMLMap,
} from 'yaml'
import { MAX_LEVELS, MAX_VALUES } from '../check/limits.js'
import { isMapping } from '../mapping.js'
import { quoteStar } from './syntax-mistake.js'

/** A mistake in a text, with its offset. */
export interface TextMistake {
  readonly offset: number
  readonly message: string
}

/** The value of a document, and the targets of its aliases. */
export interface Converted {
  readonly value: unknown
  readonly mistakes: readonly TextMistake[]
  readonly targets: ReadonlyMap<Node, Node>
}

/**
 * Converts a document to plain values in one pass. The conversion of the library takes quadratic time: it searches the
 * document for every alias, and compares each name with all others to find duplicates.
 */
export function convert(document: Document): Converted {
  const converter = new Converter()
  const value = converter.value(document.contents, 0)
  return { value, mistakes: converter.mistakes, targets: converter.targets }
}

interface Anchored {
  readonly node: Node
  value?: { readonly of: unknown }
}

class Converter {
  readonly mistakes: TextMistake[] = []
  readonly targets = new Map<Node, Node>()
  readonly #anchors = new Map<string, Anchored>()
  #merged = 0

  value(node: unknown, level: number): unknown {
    if (isAlias(node)) return this.#alias(node)
    if (isPair(node)) return this.#mapping([node], level)
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return null
    const anchored: Anchored = { node }
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, anchored)
    const value = this.#plain(node, level)
    anchored.value = { of: value }
    return value
  }

  #plain(node: Node, level: number): unknown {
    if (isScalar(node)) return typeof node.value === 'symbol' ? '<<' : node.value
    if (level >= MAX_LEVELS) {
      this.#reject(node, `the nesting is deeper than ${MAX_LEVELS} levels; reduce it`)
      return null
    }
    if (isSeq(node)) return node.items.map((item) => this.value(item, level + 1))
    return this.#mapping((node as YAMLMap).items, level)
  }

  #mapping(pairs: readonly Pair[], level: number): object {
    const fields = new Map<string, unknown>()
    const own = new Set<string>()
    for (const { key, value } of pairs) {
      if (isMergeKey(key)) {
        this.#merge(fields, value, level)
        continue
      }
      const name = this.#name(key)
      if (name === undefined) continue
      if (own.has(name)) this.#reject(key, `the field \`${name.slice(0, 100)}\` occurs twice: remove one`)
      own.add(name)
      fields.set(name, this.value(value, level + 1))
    }
    return Object.fromEntries(fields)
  }

  /** @returns undefined if the key is not a string: to write it as one would take time that doubles with each level */
  #name(key: unknown): string | undefined {
    const value = isAlias(key) ? this.#alias(key) : key
    const plain = isScalar(value) ? value.value : value
    if (isMap(key) || isSeq(key) || (typeof plain === 'object' && plain !== null)) {
      this.#reject(key, 'a field name must be a text: put a name that starts with { or [ in quotes')
      return undefined
    }
    if (isScalar(key) && key.anchor !== undefined)
      this.#anchors.set(key.anchor, { node: key, value: { of: plain } })
    return String(plain ?? '')
  }

  /** Merges the fields of other mappings. The fields of the mapping itself override them. */
  #merge(fields: Map<string, unknown>, source: unknown, level: number): void {
    const value = this.value(source, level + 1)
    const mappings = Array.isArray(value) ? value : [value]
    if (!mappings.every(isMapping))
      this.#reject(source, '`<<` needs an alias of a mapping, or a list of such aliases')
    for (const [name, inner] of mappings.filter(isMapping).flatMap((mapping) => this.#entries(mapping)))
      if (!fields.has(name)) fields.set(name, inner)
  }

  #entries(mapping: object): [string, unknown][] {
    const entries = this.#merged > MAX_VALUES ? [] : Object.entries(mapping)
    this.#merged += entries.length
    return entries
  }

  #alias(alias: Node & { readonly source: string }): unknown {
    const target = this.#anchors.get(alias.source)
    if (target?.value !== undefined) {
      this.targets.set(alias, target.node)
      return target.value.of
    }
    const name = alias.source.slice(0, 100)
    if (target !== undefined) this.#reject(alias, `the alias *${name} is inside its own anchor`)
    else if (!/^\w[\w-]*$/.test(name)) this.#reject(alias, quoteStar(name))
    else
      this.#reject(
        alias,
        `the alias *${name} has no anchor &${name} before it; if it is a text, put it in quotes: "*${name}"`,
      )
    return null
  }

  #reject(node: unknown, message: string): void {
    const { range } = node as Node
    this.mistakes.push({ offset: range?.[0] ?? 0, message })
  }
}

/** Whether a key is `<<` without quotes. */
export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && typeof key.value === 'symbol'
}
