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

/**
 * Matches the end of a path with that of an operation. Its start may be that of a proxy.
 * @param pattern in the syntax of OpenAPI; `{name...}` stands for several segments
 * @param path percent-encoded
 * @returns undefined if it does not match
 */
export function matchPath(pattern: string, path: string): PathValues | undefined {
  const form = known.get(pattern) ?? compile(pattern)
  known.set(pattern, form)
  const { groups } = form.exec(path) ?? {}
  if (groups === undefined) return form.test(path) ? {} : undefined
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decode(value)]))
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
