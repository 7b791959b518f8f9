import type { DialectHost } from './table/dialect-table.generated.js'

/** The paths of outputs and uploads, the same on every host. A service can have an operation such as `/files/upload`. */
const FILES = /^\/files\/[^/]+\/./

/**
 * The path in the table of routes of a request to a service's own host.
 * @param name the name of the dialect
 * @param pathname the path of the request, still percent-encoded, without the query
 */
export function servicePath(name: string, { path }: DialectHost, pathname: string): string {
  return FILES.test(pathname) ? pathname : `/${name}${path}${pathname}`
}
