import { globMatcher } from '../../scenario/rules/glob.js'
import { isLinkLocal } from './link-local.js'
import type { Transport } from './transport.js'

/** Decides where webhooks may go. */
export interface TargetPolicy {
  /** Whether webhooks may go to a URL, as far as it tells: the address behind a name is not known yet. */
  mayCall(url: string): boolean
  /** Whether a webhook for a URL may go to an address that its host has. */
  mayReach(url: string, address: string): boolean
}

/** A host that no pattern names on purpose. */
const ANY_HOST = 'any.invalid'

/**
 * The policy by the patterns of `webhookAllow`, in which `*` stands for any characters. Without patterns, webhooks may
 * go everywhere except to link-local addresses, which are those of cloud metadata services. With patterns, they may
 * go to the URLs that one of them matches; to a link-local address, whether a URL has it or the name in it leads
 * there, only if a pattern names this address: `http://169.254.169.254/*` does, `*` does not.
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
      mayReach(url, new URL(url).hostname),
  }
}

/** Why a webhook may not go to an address, and what allows it. */
export function forbiddenAddress(url: string, address: string): string {
  const pattern = `${new URL(withHost(url, address)).origin}/*`
  return `webhooks may not go to the link-local address ${address}; allow it with --webhook-allow '${pattern}' (\`webhookAllow\`)`
}

/** A transport that sends to no link-local address in a URL unless it is allowed, whoever has named the receiver. */
export function guarded(transport: Transport, policy: TargetPolicy): Transport {
  return async (post) => {
    const { hostname } = new URL(post.url)
    if (!policy.mayReach(post.url, hostname)) throw new Error(forbiddenAddress(post.url, hostname))
    return transport(post)
  }
}

function withHost(url: string, host: string): string {
  const changed = new URL(url)
  const address = host.replace(/%.*$/, '')
  changed.hostname = address.includes(':') && !address.startsWith('[') ? `[${address}]` : address
  return changed.href
}
