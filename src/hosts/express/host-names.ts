import { rememberLast } from '../../engine/recent.js'

/** The names of this machine that requests to the control API may use. */
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/**
 * The name in a Host header, normalized and without the port; empty if it is not a valid host. Nearly every request has
 * the same Host, and parsing a URL costs as much as the rest of a poll.
 */
export const hostNameOf = rememberLast((host: string): string => {
  // The URL parser would read a path, a user name or a query out of the header.
  if (/[/?#@\\\s]/.test(host) || !URL.canParse(`http://${host}/`)) return ''
  return new URL(`http://${host}/`).hostname
})

/** Whether a page of an origin was loaded from the host in a Host header. */
export function isSameOrigin(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host
}

/** A host name as a URL contains it: lower-case, an international name in ASCII, an IPv6 address in brackets. */
export function normalized(name: string): string {
  const host = name.includes(':') && !name.startsWith('[') ? `[${name}]` : name
  return URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : name
}

/** The host name of an origin; undefined if the origin is opaque (`null`, `file://`) or not a URL. */
export function hostNameOfOrigin(origin: string): string | undefined {
  const name = URL.canParse(origin) ? new URL(origin).hostname : ''
  return name === '' ? undefined : name
}
