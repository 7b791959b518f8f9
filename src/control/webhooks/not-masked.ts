import { isMaskedUrl, maskUrl } from '../../engine/webhooks/mask-url.js'
import { Problem } from '../../http/problem.js'

/**
 * Rejects a URL that was copied from an answer of the control API, in which its secrets are masked.
 * @throws Problem 400 where the URL has a mask in place of a secret
 */
export function checkNotMasked(param: string, url: string): void {
  if (!isMaskedUrl(url)) return
  const message = `The field \`${param}\`: ${maskUrl(url).slice(0, 200)} has a mask in place of a secret. Give the whole URL, or name a registered receiver by its id.`
  throw new Problem('invalid_request', message, { param })
}
