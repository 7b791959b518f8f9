import { globMatcher } from '../../../scenario/rules/glob.js'
import { maskUrl } from '../receivers/mask-url.js'
import { isLinkLocal } from './link-local.js'
import type { Transport } from './transport.js'
import { urlParts } from './url-parts.js'

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
