import type { Dialect } from '../../dialects/dialect.js'
import { findOperation } from '../../dialects/reading/find-operation.js'
import type { ExchangeEntry } from '../recording/recording.js'
import type { RecordedBase } from './rewrite.js'

/**
 * The starts of the URLs of a service in a recording: those of its own hosts, and those at which it was reached, such as
 * `https://gateway.example.com/luma`.
 */
export function recordedBases(dialect: Dialect, entries: readonly ExchangeEntry[]): readonly RecordedBase[] {
  const bases = new Map(dialect.hosts.map(({ origin, path }) => [origin, path]))
  for (const { request } of entries) {
    const url = new URL(request.url)
    if (bases.has(url.origin)) continue
    const route = findOperation(dialect, { method: request.method, url })?.route
    if (route === undefined) continue
    const start = url.origin + url.pathname.slice(0, startOf(route, url.pathname))
    for (const { path } of dialect.hosts) bases.set(start + path, path)
    if (!bases.has(start)) bases.set(start, '')
  }
  return [...bases]
    .map(([url, path]) => ({ url, path }))
    .sort((one, other) => other.url.length - one.url.length)
}

/** Where the path of a route starts in a longer path: at its first segment if that is constant, else by their number. */
function startOf(route: string, path: string): number {
  const [first] = /^(?:\/[^/{]+)+/.exec(route) ?? []
  if (first !== undefined) return Math.max(0, path.indexOf(first))
  const segments = path.split('/')
  const before = Math.max(0, segments.length - route.split('/').length)
  return segments.slice(0, before + 1).join('/').length
}
