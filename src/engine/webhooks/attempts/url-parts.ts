import { Recent } from '../../recent.js'

/** The parts of a receiver's URL that decide whether and when it gets a webhook. */
export type UrlParts = Pick<URL, 'origin' | 'hostname' | 'pathname'>

/** Most webhooks go to few receivers, and each webhook needs the parts of its URL twice. */
const known = new Recent<string, UrlParts>(100)

/**
 * The parts of a URL, normalized.
 * @throws TypeError if the text is not a URL
 */
export function urlParts(url: string): UrlParts {
  const parts = known.get(url)
  if (parts !== undefined) return parts
  const { origin, hostname, pathname } = new URL(url)
  const parsed = { origin, hostname, pathname }
  known.set(url, parsed)
  return parsed
}
