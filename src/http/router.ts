import { parametersIn } from '../dialects/path-parts.js'
import type { Route } from './operation.js'

/** The route of a path, and the values of its parameters. */
export interface RouteMatch {
  readonly route: Route
  readonly params: readonly string[]
  /** The id of the task that the path names. */
  readonly task: string | undefined
  /** The part of the path that has several forms, such as `/v1/task`; undefined if it has one form. */
  readonly form: string | undefined
}

interface Leaf {
  readonly route: Route
  /** The index of the parameter `{task_id}`; -1 if there is none. */
  readonly task: number
  readonly form: string | undefined
}

/** A parameter for one or more segments, and the constant text after it. */
interface Rest {
  readonly after: string
  readonly leaf: Leaf
}

interface Node {
  readonly literals: { readonly text: string; readonly node: Node }[]
  /** Parameters with constant text after them in the same segment; the longest text first. */
  readonly suffixed: { readonly text: string; readonly node: Node }[]
  parameter: Node | undefined
  leaf: Leaf | undefined
  /** The one with the longest text first. */
  readonly rests: Rest[]
}

/** A place in the path where {@link Rest} parameters may begin. */
interface RestPlace {
  readonly rests: readonly Rest[]
  readonly start: number
  /** The number of parameters before it. */
  readonly count: number
}

/**
 * Finds routes in a tree of path segments. A slash at the end of a path makes no difference. A segment matches constant
 * text first, then `{name}:cancel`, then `{name}`. `{name...}` matches one or more segments, if no other route has the
 * path.
 *
 * It compares segments in place, because splitting the path of every request would take several times longer.
 */
export class Router {
  readonly #root = newNode()

  constructor(routes: readonly Route[]) {
    for (const route of routes)
      for (const path of [route.path, ...(route.aliases ?? [])]) this.#add(path, route)
  }

  /**
   * @param path still percent-encoded, without the query
   * @param from the index of the slash at which the path of the route starts
   */
  find(path: string, from = 0): RouteMatch | undefined {
    if (from < path.length && path[from] !== '/') return undefined
    let node = this.#root
    let params: string[] | undefined
    let restPlace: RestPlace | undefined
    const end = path.endsWith('/') ? path.length - 1 : path.length
    for (let start = from + 1, stop = 0; start <= end; start = stop + 1) {
      if (node.rests.length > 0) restPlace = { rests: node.rests, start, count: params?.length ?? 0 }
      stop = path.indexOf('/', start)
      if (stop === -1) stop = end
      const literal = literalAt(node, path, start, stop)
      if (literal !== undefined) {
        node = literal
        continue
      }
      const suffixed = suffixedAt(node, path, start, stop)
      const next = suffixed?.node ?? node.parameter
      if (next === undefined || start === stop) return restAt(restPlace, path, end, params)
      node = next
      const value = path.slice(start, stop - (suffixed?.text.length ?? 0))
      // V8 reserves space for 17 items in an array that grows, and most paths have one parameter.
      if (params === undefined) params = [value]
      else params.push(value)
    }
    return node.leaf === undefined ? restAt(restPlace, path, end, params) : matchOf(node.leaf, params)
  }

  #add(path: string, route: Route): void {
    let node = this.#root
    const parameters = parametersIn(path).map(({ name }) => name)
    const form = route.aliases === undefined ? undefined : path.replace(/\/\{.*/, '')
    const leaf = { route, task: parameters.indexOf('task_id'), form }
    const [before = '', after] = path.split(REST)
    const start = after === undefined ? path : before
    for (const text of start.split('/').slice(1)) {
      node = nextNode(node, text)
    }
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

function newNode(): Node {
  return { literals: [], suffixed: [], parameter: undefined, leaf: undefined, rests: [] }
}

/** The node of a segment in the path of a route, which is added if it is new. */
function nextNode(node: Node, segment: string): Node {
  const [, suffix] = PARAMETER.exec(segment) ?? []
  if (suffix === '') {
    node.parameter ??= newNode()
    return node.parameter
  }
  const [edges, text] = suffix === undefined ? [node.literals, segment] : [node.suffixed, suffix]
  const known = edges.find((edge) => edge.text === text)
  if (known !== undefined) return known.node
  const next = newNode()
  edges.push({ text, node: next })
  node.suffixed.sort((one, other) => other.text.length - one.text.length)
  return next
}

function restAt(
  place: RestPlace | undefined,
  path: string,
  end: number,
  params: readonly string[] = NONE,
): RouteMatch | undefined {
  if (place === undefined) return undefined
  const rest = path.slice(place.start, end)
  const found = place.rests.find(({ after }) => rest.length > after.length && rest.endsWith(after))
  if (found === undefined || /^\/|\/\/|\/$/.test(rest)) return undefined
  const value = rest.slice(0, rest.length - found.after.length)
  return matchOf(found.leaf, [...params.slice(0, place.count), value])
}

function matchOf({ route, task, form }: Leaf, params: readonly string[] = NONE): RouteMatch | undefined {
  return route.params?.every((form, index) => form.test(params[index] ?? '')) === false
    ? undefined
    : { route, params, task: params[task], form }
}

/** The node of the literal segment between two positions of a path. */
function literalAt({ literals }: Node, path: string, start: number, stop: number): Node | undefined {
  for (const { text, node } of literals)
    if (text.length === stop - start && path.startsWith(text, start)) return node
  return undefined
}

/** The suffixed parameter that matches the segment between two positions of a path. */
function suffixedAt({ suffixed }: Node, path: string, start: number, stop: number) {
  for (const edge of suffixed)
    if (stop - start > edge.text.length && path.startsWith(edge.text, stop - edge.text.length)) return edge
  return undefined
}
