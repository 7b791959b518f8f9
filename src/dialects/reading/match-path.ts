import type { DialectHost } from '../hosts.js'

/** The values of the parameters in a path, decoded, by their names. */
export type PathValues = Readonly<Record<string, string>>

const PARAMETER = /\{(\w+)(\.\.\.)?\}/g
const known = new Map<string, RegExp>()

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

/**
 * Matches the end of a path with that of an operation. Its start may be that of a proxy.
 * @param pattern in the syntax of OpenAPI; `{name...}` stands for several segments
 * @param path percent-encoded
 * @returns undefined if it does not match
 */
export function findPath(pattern: string, path: string): FoundPath | undefined {
  const form = known.get(pattern) ?? compile(pattern)
  known.set(pattern, form)
  const found = form.exec(path)
  if (found === null) return undefined
  const values = Object.entries(found.groups ?? {}).map(([name, value]) => [name, decode(value)])
  return { start: found.index, values: Object.fromEntries(values) }
}

/** The values of the parameters in a path that {@link findPath} matches; undefined if it does not match. */
export function matchPath(pattern: string, path: string): PathValues | undefined {
  return findPath(pattern, path)?.values
}

function compile(pattern: string): RegExp {
  let source = ''
  let end = 0
  for (const { 0: text, 1: name, 2: rest, index } of pattern.matchAll(PARAMETER)) {
    source += `${escaped(pattern.slice(end, index))}(?<${name}>${rest === undefined ? '[^/]+?' : '.+?'})`
    end = index + text.length
  }
  return new RegExp(`${source}${escaped(pattern.slice(end))}/?$`)
}

function escaped(text: string): string {
  return text.replace(/[^\w/]/g, '\\$&')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
