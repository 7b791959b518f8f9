import { isMaskedUrl, maskUrl } from '../../engine/mask.js'
import { Problem } from '../../exchange/problem.js'
import { checkTarget } from '../../exchange/webhook-target.js'
import type { Simulator } from '../../simulator/simulator.js'

/**
 * Rejects a URL, in the field `url`, that must not receive webhooks, or that was copied from a response of the control
 * API, which masks secrets.
 * @throws Problem 400
 */
export function checkUrl(url: string, sim: Simulator): void {
  if (isMaskedUrl(url)) {
    const message = `The field \`url\`: ${maskUrl(url).slice(0, 200)} has a mask in place of a secret. Give the whole URL, or name a registered receiver by its id.`
    throw new Problem('invalid_request', message, { param: 'url' })
  }
  checkTarget(sim, 'url', url)
}
