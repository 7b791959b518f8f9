import type { DeliveryShape } from '../../../control/shapes.js'
import { isAccepted } from '../webhooks/verdict.js'
import type { Chain, TimelineEvent } from './timeline.js'

/** The attempts of a delivery, and the next one. */
export function deliveryEvents(delivery: DeliveryShape, lane: number): TimelineEvent[] {
  const { id, event, state, created_at: created, next_attempt_at: next, attempts } = delivery
  const target = { view: 'webhooks', id } as const
  const tried = attempts.map((attempt): TimelineEvent => {
    const { number, started_at: at = created, status, error, flaw } = attempt
    const label = `${event}, attempt ${number}: ${status ?? error ?? 'no answer'}${flaw ? `, sent with a fault: ${flaw}` : ''}`
    return { kind: 'delivery', lane, at: Date.parse(at), label, ok: isAccepted(attempt), target }
  })
  if (state === 'lost') {
    const label = `${event}: not sent because of a fault`
    return [{ kind: 'delivery', lane, at: Date.parse(created), label, ok: false, target }]
  }
  if (next === undefined) return tried
  return [...tried, { kind: 'retry', lane, at: Date.parse(next), label: `${event}, next attempt`, target }]
}

/** The line from the first attempt of a delivery to its last or next one; none if there is only one. */
export function deliveryChain(delivery: DeliveryShape, lane: number): Chain[] {
  const times = deliveryEvents(delivery, lane).map(({ at }) => at)
  return times.length < 2 ? [] : [{ lane, from: Math.min(...times), to: Math.max(...times) }]
}
