import type { JsonValue } from '../engine/json.js'
import { type TargetPolicy, whyForbidden } from '../engine/webhooks/attempts/target-policy.js'
import { HTTP_URL_FORM, httpUrl, LONGEST_URL } from '../engine/webhooks/receivers/receiver.js'
import { invalid, Problem } from './problem.js'

const MOST_URLS = 10

type TargetCheck = Pick<TargetPolicy, 'mayCall'>

/**
 * Checks that webhooks may go to a URL.
 * @throws Problem 400 if not
 */
export function checkTarget(sim: TargetCheck, param: string, url: string): void {
  if (sim.mayCall(url)) return
  const message = `The field \`${param}\`: ${whyForbidden(url)}.`
  throw new Problem('invalid_request', message, { param })
}

/**
 * Reads the URL of a task's own webhook receiver.
 * @param param the field that holds it
 * @returns undefined if it is missing
 * @throws Problem 400 if it is not a URL, or webhooks may not go there
 */
export function readTarget(sim: TargetCheck, param: string, url: JsonValue | undefined): string | undefined {
  if (url === undefined || url === null) return undefined
  const usable = typeof url === 'string' ? httpUrl(url) : undefined
  if (usable === undefined)
    throw invalid('field', param, url, `at most ${LONGEST_URL} characters long, and ${HTTP_URL_FORM}`)
  checkTarget(sim, param, usable)
  return usable
}

/**
 * Reads the URLs of a task's own webhook receivers.
 * @param param the field that holds them
 * @returns undefined if the list is missing
 * @throws Problem 400 if it is not a list of URLs, or webhooks may not go to one of them
 */
export function readTargets(
  sim: TargetCheck,
  param: string,
  urls: JsonValue | undefined,
): readonly string[] | undefined {
  if (urls === undefined || urls === null) return undefined
  if (!Array.isArray(urls) || urls.length > MOST_URLS)
    throw invalid('field', param, urls, `a list of at most ${MOST_URLS} URLs`)
  const targets = urls.map((url, index) => readTarget(sim, `${param}.${index}`, url))
  return [...new Set(targets.flatMap((url) => url ?? []))]
}
