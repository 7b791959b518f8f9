import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { forbiddenAddress, type TargetPolicy } from '../../engine/webhooks/attempts/target-policy.js'

/** Resolves all addresses of a host, like `dns.lookup` with the option `all`. */
export type Resolve = (
  host: string,
  options: { readonly all: true },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

/**
 * Creates the `lookup` of a webhook connection. It returns only addresses that the policy allows for the URL, even if
 * the host resolves to another address each time.
 */
export function restrictedLookup(
  url: string,
  policy: TargetPolicy,
  resolve: Resolve = dnsLookup,
): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { ...options, all: true }, (error, addresses = []) => {
      const [first] = addresses
      const allowed = addresses.filter(({ address }) => policy.mayReach(url, address))
      const [chosen] = allowed
      if (error !== null) callback(error, '')
      else if (chosen === undefined) callback(new Error(forbiddenAddress(url, first?.address ?? host)), '')
      else if (options.all) callback(null, allowed)
      else callback(null, chosen.address, chosen.family)
    })
  }
}
