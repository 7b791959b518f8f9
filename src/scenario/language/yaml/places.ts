import { isMap, isNode, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml'
import { isMergeKey } from './convert.js'

/** Finds the positions of values in a text. */
export class PositionFinder {
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
