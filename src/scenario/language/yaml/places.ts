import { isMap, isNode, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml'

/** Finds where in a text the parts of its value stand. */
export class Places {
  readonly #root: unknown
  readonly #targets: ReadonlyMap<Node, Node>
  /** The fields of mappings by name, as far as they were asked for. */
  readonly #fields = new Map<YAMLMap, ReadonlyMap<string, Pair>>()

  /** @param targets the nodes that aliases stand for */
  constructor(root: unknown, targets: ReadonlyMap<Node, Node>) {
    this.#root = root
    this.#targets = targets
  }

  /**
   * The offset of the value at a path, or of the nearest thing around it.
   * @param atKey whether the name of the field is meant, not its value
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
    const known = this.#fields.get(map)
    if (known !== undefined) return known
    const fields = new Map(map.items.map((pair) => [nameOf(pair.key), pair]))
    this.#fields.set(map, fields)
    return fields
  }
}

function nameOf(key: unknown): string {
  return String(isScalar(key) ? (key.value ?? '') : key)
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined
}
