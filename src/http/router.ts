import type { Route } from './operation.js'

/** The route of a path, and the values of its parameters. */
export interface RouteMatch {
  readonly route: Route
  readonly params: readonly string[]
}

interface Node {
  readonly literals: Map<string, Node>
  parameter: Node | undefined
  route: Route | undefined
}

/** Finds routes in a tree of path segments. A slash at the end of a path makes no difference. */
export class Router {
  readonly #root = newNode()

  constructor(routes: readonly Route[]) {
    for (const route of routes)
      for (const path of [route.path, ...(route.aliases ?? [])]) this.#add(path, route)
  }

  /** @param path still percent-encoded, without the query */
  find(path: string): RouteMatch | undefined {
    let node = this.#root
    const params: string[] = []
    for (const segment of segmentsOf(path)) {
      const literal = node.literals.get(segment)
      if (literal !== undefined) node = literal
      else if (node.parameter === undefined || segment === '') return undefined
      else {
        node = node.parameter
        params.push(segment)
      }
    }
    const { route } = node
    if (route === undefined) return undefined
    return route.params?.every((form, index) => form.test(params[index] ?? '')) === false
      ? undefined
      : { route, params }
  }

  #add(path: string, route: Route): void {
    let node = this.#root
    for (const segment of segmentsOf(path)) {
      if (segment.startsWith('{')) node = node.parameter ??= newNode()
      else {
        const next: Node = node.literals.get(segment) ?? newNode()
        node.literals.set(segment, next)
        node = next
      }
    }
    node.route = route
  }
}

function newNode(): Node {
  return { literals: new Map(), parameter: undefined, route: undefined }
}

function segmentsOf(path: string): string[] {
  const segments = path.split('/')
  if (segments.length > 1 && segments.at(-1) === '') segments.pop()
  return segments
}
