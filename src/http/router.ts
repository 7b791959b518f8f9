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

interface Node {
  readonly literals: { readonly text: string; readonly node: Node }[]
  parameter: Node | undefined
  leaf: Leaf | undefined
}

/**
 * Finds routes in a tree of path segments. A slash at the end of a path makes no difference.
 *
 * It compares segments in place, because splitting the path of every request would take several times longer.
 */
export class Router {
  readonly #root = newNode()

  constructor(routes: readonly Route[]) {
    for (const route of routes)
      for (const path of [route.path, ...(route.aliases ?? [])]) this.#add(path, route)
  }

  /** @param path still percent-encoded, without the query */
  find(path: string): RouteMatch | undefined {
    if (!path.startsWith('/')) return undefined
    let node = this.#root
    const params: string[] = []
    const end = path.endsWith('/') ? path.length - 1 : path.length
    for (let start = 1, stop = 0; start <= end; start = stop + 1) {
      stop = path.indexOf('/', start)
      if (stop === -1) stop = end
      const literal = literalAt(node, path, start, stop)
      if (literal !== undefined) node = literal
      else if (node.parameter === undefined || start === stop) return undefined
      else {
        node = node.parameter
        params.push(path.slice(start, stop))
      }
    }
    if (node.leaf === undefined) return undefined
    const { route, task, form } = node.leaf
    return route.params?.every((form, index) => form.test(params[index] ?? '')) === false
      ? undefined
      : { route, params, task: params[task], form }
  }

  #add(path: string, route: Route): void {
    let node = this.#root
    for (const text of path.slice(1).split('/')) {
      const isParameter = text.startsWith('{')
      let next = isParameter ? node.parameter : literalAt(node, text, 0, text.length)
      if (next === undefined) {
        next = newNode()
        if (isParameter) node.parameter = next
        else node.literals.push({ text, node: next })
      }
      node = next
    }
    const parameters = path.split('/').filter((text) => text.startsWith('{'))
    const form = route.aliases === undefined ? undefined : path.replace(/\/\{.*/, '')
    node.leaf = { route, task: parameters.indexOf('{task_id}'), form }
  }
}

function newNode(): Node {
  return { literals: [], parameter: undefined, leaf: undefined }
}

/** The node of the literal segment between two positions of a path. */
function literalAt({ literals }: Node, path: string, start: number, stop: number): Node | undefined {
  for (const { text, node } of literals)
    if (text.length === stop - start && path.startsWith(text, start)) return node
  return undefined
}
