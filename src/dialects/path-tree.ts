/** A parameter of a path: `{name}`, or `{name...}` for several segments. */
export interface PathParameter {
  readonly name: string
  /** Whether it stands for several segments. */
  readonly isRest: boolean
}

/** How exact a path is: the number of constant segments, and of constant characters. */
type Constants = readonly [segments: number, characters: number]

interface Leaf<Value> {
  readonly value: Value
  readonly constants: Constants
}

/** What a path leads to, and the values of its parameters. */
interface Found<Value> extends Leaf<Value> {
  /** In the order of the path, percent-encoded. */
  readonly params: readonly string[]
}

/** The same for the end of a path, whose start may be that of a proxy. */
interface FoundEnd<Value> extends Found<Value> {
  /** The number of characters before the end. */
  readonly start: number
}

/** A parameter for one or more segments, and the constant text after it. */
interface Rest<Value> {
  readonly after: string
  readonly leaf: Leaf<Value>
}

interface Node<Value> {
  readonly literals: { readonly text: string; readonly node: Node<Value> }[]
  /** Parameters with constant text after them in the same segment; the longest text first. */
  readonly suffixed: { readonly text: string; readonly node: Node<Value> }[]
  parameter: Node<Value> | undefined
  leaf: Leaf<Value> | undefined
  /** The one with the longest text first. */
  readonly rests: Rest<Value>[]
}

/** Where in the path {@link Rest} parameters may begin. */
interface RestStart<Value> {
  readonly rests: readonly Rest<Value>[]
  readonly start: number
  /** The number of parameters before it. */
  readonly count: number
}

/**
 * Finds values by paths such as `/tasks/{task_id}`, in a tree of path segments. A slash at the end of a path makes no
 * difference. A segment matches constant text first, then `{name}:cancel`, then `{name}`. `{name...}` matches one or more
 * segments, if nothing else has the path.
 *
 * It compares segments in place, because splitting the path of every request would take several times longer.
 */
export class PathTree<Value> {
  readonly #root: Node<Value> = newNode()

  constructor(entries: Iterable<readonly [path: string, value: Value]>) {
    for (const [path, value] of entries) this.#add(path, value)
  }

  /**
   * @param path still percent-encoded, without the query
   * @param from the index of the slash at which the path begins
   */
  find(path: string, from = 0): Found<Value> | undefined {
    if (from < path.length && path[from] !== '/') return undefined
    let node = this.#root
    let params: string[] | undefined
    let restStart: RestStart<Value> | undefined
    const end = path.endsWith('/') ? path.length - 1 : path.length
    for (let start = from + 1, stop = 0; start <= end; start = stop + 1) {
      if (node.rests.length > 0) restStart = { rests: node.rests, start, count: params?.length ?? 0 }
      stop = path.indexOf('/', start)
      if (stop === -1) stop = end
      const literal = literalAt(node, path, start, stop)
      if (literal !== undefined) {
        node = literal
        continue
      }
      const suffixed = node.suffixed.length === 0 ? undefined : suffixedAt(node, path, start, stop)
      const next = suffixed?.node ?? node.parameter
      if (next === undefined || start === stop) return restAt(restStart, path, end, params)
      node = next
      const value = path.slice(start, stop - (suffixed?.text.length ?? 0))
      // V8 reserves space for 17 items in an array that grows, and most paths have one parameter.
      if (params === undefined) params = [value]
      else params.push(value)
    }
    const { leaf } = node
    if (leaf === undefined) return restAt(restStart, path, end, params)
    return { value: leaf.value, params: params ?? NONE, constants: leaf.constants }
  }

  /**
   * Finds what the end of a path leads to; the most exact path, if there are several: `/v1/predictions` also ends with
   * `/predictions`.
   */
  findEnd(path: string): FoundEnd<Value> | undefined {
    let best: FoundEnd<Value> | undefined
    for (let start = 0; start !== -1; start = path.indexOf('/', start + 1)) {
      const found = this.find(path, start)
      if (found !== undefined && (best === undefined || isMoreExact(found, best))) best = { ...found, start }
    }
    return best
  }

  #add(path: string, value: Value): void {
    const leaf = { value, constants: constantsIn(path) }
    const [before = '', after] = path.split(REST)
    const start = after === undefined ? path : before
    let node = this.#root
    for (const text of start.split('/').slice(1)) node = nextNode(node, text)
    if (after === undefined) node.leaf = leaf
    else {
      node.rests.push({ after, leaf })
      node.rests.sort((one, other) => other.after.length - one.after.length)
    }
  }
}

const NONE: readonly never[] = []

/** A parameter for one or more segments. */
const REST = /\/\{\w+\.\.\.\}/

/** A parameter, and the constant text after it. */
const PARAMETER = /^\{\w+\}(.*)$/

function newNode<Value>(): Node<Value> {
  return { literals: [], suffixed: [], parameter: undefined, leaf: undefined, rests: [] }
}

function constantsIn(path: string): Constants {
  const segments = path.split('/').filter((segment) => !segment.includes('{')).length
  const texts = pathParts(path).filter((part) => typeof part === 'string')
  return [segments, texts.join('').length]
}

function isMoreExact(one: Found<unknown>, other: Found<unknown>): boolean {
  const [segments, characters] = one.constants
  const [otherSegments, otherCharacters] = other.constants
  return segments > otherSegments || (segments === otherSegments && characters > otherCharacters)
}

/** The node of a segment in a path of the tree, which is added if it is new. */
function nextNode<Value>(node: Node<Value>, segment: string): Node<Value> {
  const [, suffix] = PARAMETER.exec(segment) ?? []
  if (suffix === '') {
    node.parameter ??= newNode()
    return node.parameter
  }
  const [edges, text] = suffix === undefined ? [node.literals, segment] : [node.suffixed, suffix]
  const known = edges.find((edge) => edge.text === text)
  if (known !== undefined) return known.node
  const next = newNode<Value>()
  edges.push({ text, node: next })
  node.suffixed.sort((one, other) => other.text.length - one.text.length)
  return next
}

function restAt<Value>(
  start: RestStart<Value> | undefined,
  path: string,
  end: number,
  params: readonly string[] = NONE,
): Found<Value> | undefined {
  if (start === undefined) return undefined
  const rest = path.slice(start.start, end)
  const found = start.rests.find(({ after }) => rest.length > after.length && rest.endsWith(after))
  if (found === undefined || /^\/|\/\/|\/$/.test(rest)) return undefined
  const value = rest.slice(0, rest.length - found.after.length)
  const { leaf } = found
  return { ...leaf, params: [...params.slice(0, start.count), value] }
}

/** The node of the literal segment between two positions of a path. */
function literalAt<Value>({ literals }: Node<Value>, path: string, start: number, stop: number) {
  for (const { text, node } of literals)
    if (text.length === stop - start && path.startsWith(text, start)) return node
  return undefined
}

/** The suffixed parameter that matches the segment between two positions of a path. */
function suffixedAt<Value>({ suffixed }: Node<Value>, path: string, start: number, stop: number) {
  for (const edge of suffixed)
    if (stop - start > edge.text.length && path.startsWith(edge.text, stop - edge.text.length)) return edge
  return undefined
}

/** The constant texts of a path such as `/run/{model...}`, and the parameters between them. */
export function pathParts(path: string): (string | PathParameter)[] {
  return path
    .split(/(\{\w+(?:\.\.\.)?\})/)
    .map((part, index) =>
      index % 2 === 0 ? part : { name: part.replace(/\W/g, ''), isRest: part.endsWith('...}') },
    )
}

/** The parameters of a path, in their order. */
export function parametersIn(path: string): PathParameter[] {
  return pathParts(path).filter((part) => typeof part !== 'string')
}

/** Decodes a percent-encoded part of a path. Returns a part that is not valid as it is. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
