import type { DialectHost } from '../../src/dialects/table/dialect-table.generated.js'

/** The URL at which the service itself has the operation with a path of its dialect. */
export function serviceUrl(hosts: readonly DialectHost[] | undefined, path: string): string {
  const host = hosts?.find((host) => path.startsWith(`${host.path}/`))
  return host === undefined ? `https://api.example.com${path}` : host.origin + path.slice(host.path.length)
}

/** Replaces a server in a text by the hosts of a service. */
export function withServiceHosts(
  text: string,
  server: string,
  name: string,
  hosts: readonly DialectHost[] = [],
): string {
  const [main] = hosts
  return (
    [...hosts]
      .sort((one, other) => other.path.length - one.path.length)
      .reduce((shown, { origin, path }) => shown.replaceAll(`${server}/${name}${path}/`, `${origin}/`), text)
      .replaceAll(`${server}/${name}`, main?.origin ?? '')
      .replaceAll(server, main?.origin ?? '')
      .replaceAll(`${main?.origin}/${name}/`, `${main?.origin}/`)
      // A URL without an origin.
      .replaceAll(`"/${name}/`, '"/')
  )
}
