import { isLinkLocal } from '../../engine/webhooks/link-local.js'
import { maskUrl } from '../../engine/webhooks/mask-url.js'
import { forbiddenAddress } from '../../engine/webhooks/target-policy.js'
import { Problem } from './problem.js'

/**
 * Checks that webhooks may go to a URL.
 * @throws Problem 400 if not
 */
export function checkTarget(sim: { mayCall(url: string): boolean }, param: string, url: string): void {
  if (sim.mayCall(url)) return
  const shown = maskUrl(url).slice(0, 200)
  const { hostname } = new URL(url)
  const why = isLinkLocal(hostname)
    ? `${shown}: ${forbiddenAddress(url, hostname)}`
    : `webhooks may not go to ${shown}; allow it with --webhook-allow (\`webhookAllow\`)`
  const message = `The field \`${param}\`: ${why}.`
  throw new Problem('invalid_request', message, { param })
}
