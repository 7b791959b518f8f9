import type { DialectHost } from '../hosts.js'
import { decodePart, pathParts } from '../path-parts.js'

/** The values of the parameters in a path, decoded, by their names. */
export type PathValues = Readonly<Record<string, string>>

/** The path of a URL in the routes of a service, some of whose hosts have a path of their own there. */
export function pathOf(hosts: readonly DialectHost[], { origin, pathname }: URL): string {
  const host = hosts.find((each) => each.origin === origin)
  return `${host?.path ?? ''}${pathname}`
}

/** Where a path of an operation is at the end of another path, and the values of its parameters. */
interface FoundPath {
  /** The number of characters before it. */
  readonly start: number
  readonly values: PathValues
}

/** The item whose path matches best. */
interface BestMatch<Item> extends FoundPath {
  readonly item: Item
}

/**
 * Finds the item whose path matches the end of a path with the most constant segments, or else with the longest constant
 * text: `/tasks/queued` also matches `/tasks/{task_id}`, and `/v1/predictions` also ends with `/predictions`.
 * @param pathsOf returns the paths of an item, in the syntax of {@link matchPath}
 * @returns undefined if no item matches
 */
export function bestMatch<Item>(
  items: readonly Item[],
  pathsOf: (item: Item) => readonly string[],
  path: string,
): BestMatch<Item> | undefined {
  const matches = items.flatMap((item) =>
    pathsOf(item).flatMap((pattern) => {
      const found = findPath(pattern, path)
      return found === undefined ? [] : [{ item, pattern, ...found }]
    }),
  )
  return matches.sort(
    ({ pattern: one }, { pattern: other }) =>
      constantsIn(other) - constantsIn(one) || textIn(other).length - textIn(one).length,
  )[0]
}

function constantsIn(pattern: string): number {
  return pattern.split('/').filter((segment) => !segment.includes('{')).length
}

function textIn(pattern: string): string {
  return pathParts(pattern)
    .filter((part) => typeof part === 'string')
    .join('')
}

/**
 * Matches the end of a path with that of an operation. Its start may be that of a proxy.
 * @param pattern in the syntax of OpenAPI; `{name...}` stands for several segments
 * @param path percent-encoded
 * @returns the values of the parameters; undefined if it does not match
 */
export function matchPath(pattern: string, path: string): PathValues | undefined {
  return findPath(pattern, path)?.values
}

const known = new Map<string, RegExp>()

function findPath(pattern: string, path: string): FoundPath | undefined {
  const form = known.get(pattern) ?? compile(pattern)
  known.set(pattern, form)
  const found = form.exec(path)
  if (found === null) return undefined
  const values = Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodePart(value)])
  return { start: found.index, values: Object.fromEntries(values) }
}

function compile(pattern: string): RegExp {
  const source = pathParts(pattern).map((part) =>
    typeof part === 'string' ? escaped(part) : `(?<${part.name}>${part.isRest ? '.+?' : '[^/]+?'})`,
  )
  return new RegExp(`${source.join('')}/?$`)
}

function escaped(text: string): string {
  return text.replace(/[^\w/]/g, '\\$&')
}
