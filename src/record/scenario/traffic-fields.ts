import { writeDuration } from '../../engine/clock/durations.js'
import type { LearnedRateLimit } from '../learn/traffic/find-rate-limits.js'
import type { LearnedFault } from '../learn/traffic/requests.js'
import type { LearnedTraffic } from '../learn/traffic/traffic.js'
import type { LearnedWebhooks } from '../learn/traffic/webhook-attempts.js'
import { counted, countText, roundRate } from '../numbers.js'
import type { CommentedYaml } from './commented.js'
import {
  delayText,
  durationText,
  rangeText,
  type SpreadText,
  shareText,
  spreadText,
  timeText,
} from './comments.js'

/** Services round the end of a task to seconds, so a shorter delay may be none. */
const SHORTEST_DELAY = 1_000

/** The sections about requests and webhooks; none without traffic. */
export function trafficFields(traffic: LearnedTraffic | undefined): object {
  if (traffic === undefined) return {}
  const { limits, faults, webhooks } = traffic
  return {
    rate_limits: limits.length === 0 ? undefined : limits.map(limitFields),
    faults: faults.length === 0 ? undefined : faultFields(faults),
    webhooks: webhooks && webhookFields(webhooks),
  }
}

function limitFields({ operations, requests, per, burst }: LearnedRateLimit): object {
  const operation = operations?.length === 1 ? operations[0] : operations
  return { operation, requests, per: writeDuration(per), burst }
}

/** A rule sees only the requests that no earlier rule rejects, so its rate is a share of these. */
function faultFields(faults: readonly LearnedFault[]): object[] {
  const left = new Map<string, number>()
  return faults.map(({ operation, status, rate, interval, retryAfter }) => {
    const share = left.get(operation) ?? 1
    left.set(operation, share - rate)
    return {
      when: {
        operation,
        rate: share === 1 ? roundRate(rate, interval) : Math.min(1, Number((rate / share).toPrecision(3))),
      },
      then: { status, retry_after: retryAfter === undefined ? undefined : durationText(retryAfter) },
    }
  })
}

function webhookFields(webhooks: LearnedWebhooks): object | undefined {
  const { retries } = webhooks
  const delay = settableDelay(webhooks)
  if (retries.length === 0 && delay === undefined) return undefined
  return {
    retries: retries.length === 0 ? undefined : retries.map(({ wait }) => durationText(wait)),
    faults: delay && [{ name: 'delay of webhooks', then: { delay } }],
  }
}

function settableDelay({ delay }: LearnedWebhooks): SpreadText | undefined {
  return delay !== undefined && delay.p50.value >= SHORTEST_DELAY ? spreadText(delay.spread) : undefined
}

/** What was learned from requests and webhooks, and what was not, one sentence each. */
export function trafficTexts(traffic: LearnedTraffic | undefined): string[] {
  if (traffic === undefined) return []
  const { requests, faults, webhooks, gaps } = traffic
  const failed = faults.length > 0 || requests === 0 ? [] : ['No request failed with a status from 500 up.']
  const delay = webhooks?.delay
  const delayed =
    delay === undefined || webhooks === undefined || settableDelay(webhooks) !== undefined
      ? []
      : [`Webhooks after the end of a task: ${delayText(delay)}.`]
  return [...gaps.map((gap) => `Not learned: ${gap}.`), ...failed, ...delayed]
}

/** Adds comments with the evidence for the sections. */
export function addTrafficComments(file: CommentedYaml, traffic: LearnedTraffic | undefined): void {
  for (const [index, limit] of (traffic?.limits ?? []).entries()) {
    file.above(['rate_limits', index], limitText(limit))
    file.onOneLine(['rate_limits', index])
  }
  for (const [index, fault] of (traffic?.faults ?? []).entries()) {
    file.above(['faults', index], faultText(fault))
    file.onOneLine(['faults', index])
  }
  const { webhooks } = traffic ?? {}
  if (webhooks === undefined) return
  file.above(['webhooks', 'retries'], retriesText(webhooks))
  file.onOneLine(['webhooks', 'retries'])
  if (webhooks.delay !== undefined) file.above(['webhooks', 'faults'], delayText(webhooks.delay))
}

function limitText({ isShown, samples, rejected }: LearnedRateLimit): string {
  const source = isShown ? 'the headers of' : 'found by counting'
  return `${source} ${counted(samples, 'request')}; ${countText(rejected)} ${rejected === 1 ? 'was' : 'were'} rejected with 429`
}

function faultText({ count, samples, rate, interval }: LearnedFault): string {
  return `${countText(count)} of ${countText(samples)} requests: ${shareText(rate, interval)}`
}

function retriesText({ deliveries, retries }: LearnedWebhooks): string {
  const waits = retries.map(({ samples, range }) => `${countText(samples)} ${rangeText(range, timeText)}`)
  return `waits before each retry, in ${counted(deliveries, 'webhook')}: ${waits.join(', ')}`
}
