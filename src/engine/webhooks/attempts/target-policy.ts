import { maskUrl } from '../../mask.js'
import { Recent } from '../../recent.js'
import { globMatcher } from '../../scenario/glob.js'
import type { Transport } from './transport.js'

/** Decides which URLs and addresses may get webhooks. */
export interface TargetPolicy {
  /** Whether webhooks may go to a URL, before its host name is resolved. */
  mayCall(url: string): boolean
  /** Whether a webhook for a URL may go to an address of its host. */
  mayReach(url: string, address: string): boolean
}

const LONGEST_SHOWN = 200

/** A host that no pattern names explicitly. */
const ANY_HOST = 'any.invalid'

/**
 * The policy of the patterns in `webhookAllow`, in which `*` matches any characters. Without patterns, webhooks may go
 * everywhere except to link-local addresses, such as cloud metadata services. With patterns, they may go to the URLs
 * that match a pattern. They may go to a link-local address, in a URL or behind a host name, only if a pattern names
 * the address: `http://169.254.169.254/*` does, `*` does not.
 */
export function targetPolicy(patterns: readonly string[] | undefined): TargetPolicy {
  const matchers = patterns?.map(globMatcher)
  const isNamed = (url: string, address: string) =>
    matchers?.some((matches) => matches(withHost(url, address)) && !matches(withHost(url, ANY_HOST))) ?? false
  const mayReach = (url: string, address: string) => !isLinkLocal(address) || isNamed(url, address)
  return {
    mayReach,
    mayCall: (url) =>
      (matchers === undefined || matchers.some((matches) => matches(url))) &&
      mayReach(url, urlParts(url).hostname),
  }
}

/** The error for a forbidden address, with the option that allows it. */
export function forbiddenAddress(url: string, address: string): string {
  const pattern = `${new URL(withHost(url, address)).origin}/*`
  return `webhooks may not go to the link-local address ${address}; allow it with --webhook-allow '${pattern}' (\`webhookAllow\`)`
}

/** Why webhooks may not go to a URL, with the option that allows it. */
export function whyForbidden(url: string): string {
  const { hostname } = urlParts(url)
  const shown = maskUrl(url).slice(0, LONGEST_SHOWN)
  if (isLinkLocal(hostname)) return `${shown}: ${forbiddenAddress(url, hostname)}`
  return `webhooks may not go to ${shown}; allow it with --webhook-allow (\`webhookAllow\`)`
}

/** A transport that rejects forbidden URLs, from any source. */
export function guarded(transport: Transport, policy: TargetPolicy): Transport {
  return (post) =>
    policy.mayCall(post.url) ? transport(post) : Promise.reject(new Error(whyForbidden(post.url)))
}

function withHost(url: string, host: string): string {
  const changed = new URL(url)
  const address = host.replace(/%.*$/, '')
  changed.hostname = address.includes(':') && !address.startsWith('[') ? `[${address}]` : address
  return changed.href
}

/**
 * Matches all groups of an IPv6 address that is link-local, or at which cloud machines serve their credentials: within
 * 169.254.0.0/16, which is `a9fe` in hexadecimal, in each notation for an IPv4 address; and the metadata services of AWS,
 * Google and Oracle.
 */
const STARTS = [
  'fe[89ab].:',
  // IPv4-compatible, mapped and translated: RFC 4291, section 2.5.5, and RFC 2765.
  '(0:){4}(0:0|0:ffff|ffff:0):a9fe:',
  // NAT64: RFC 6052 and RFC 8215.
  '64:ff9b:((.+:){4}|1:)a9fe:',
  // 6to4: RFC 3056.
  '2002:a9fe:',
  // The server and, with inverted bits, the client of Teredo: RFC 4380.
  '2001:0:(a9fe:|(.+:){4}5601:)',
  // ISATAP: RFC 5214.
  '(.+:){4}(200|0):5efe:a9fe:',
  'fd(00:ec2|20:ce):(0:){5}254$',
  'fd00:c1:(0:){4}a9fe:',
]

const LINK_LOCAL = new RegExp(`^(?:${STARTS.join('|')})`)

/**
 * Whether an IP address is link-local, or is a metadata service of cloud machines, which serves their credentials.
 * @param host an address in any notation, with or without brackets and zone; any other text is not link-local
 */
export function isLinkLocal(host: string): boolean {
  if (!host.includes(':')) return /^169\.254\.\d+\.\d+$/.test(normalized(host))
  return LINK_LOCAL.test(allGroups(normalized(`[${host.replace(/^\[|%.*$|\]$/g, '')}]`).slice(1, -1)))
}

/** A host as the platform writes it, such as 169.254.0.1 for 0xa9fe0001; empty if it is not valid. */
function normalized(host: string): string {
  const url = `http://${host}/`
  return URL.canParse(url) ? new URL(url).hostname : ''
}

/** A normalized IPv6 address without its abbreviation of zeros. */
function allGroups(address: string): string {
  const given = address.split(':').filter(Boolean).length
  return address.replace('::', `:${'0:'.repeat(8 - given)}`).replace(/^:|:$/g, '')
}

/** The parts of a receiver's URL that decide whether and when it gets a webhook. */
type UrlParts = Pick<URL, 'origin' | 'hostname' | 'pathname'>

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
