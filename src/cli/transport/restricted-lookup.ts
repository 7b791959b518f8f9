import { lookup as dnsLookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { forbiddenAddress, type TargetPolicy } from '../../engine/webhooks/target-policy.js'

/** Finds every address of a host, as `dns.lookup` does with the option `all`. */
export type Resolve = (
  host: string,
  options: { readonly all: true },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void

/**
 * The `lookup` of a connection for a webhook to a URL: finds only those addresses to which it may go, so that a name
 * leads nowhere else, even if it is resolved to another address with every connection.
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
