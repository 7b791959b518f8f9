import type { AnsweredRequest } from '../../engine/events.js'
import type { Evidence } from './finding.js'
import type { Sent } from './story.js'

const MOST_IDS = 10
// What a client has sent may be as long as it likes.
const LONGEST_SHOWN = 100

/**
 * Judges every occasion on which a mistake could have been made.
 * @returns undefined where there was none
 */
export function judge<Occasion>(
  occasions: Iterable<Occasion>,
  seen: (occasion: Occasion) => Evidence | undefined,
): Evidence[] | undefined {
  const evidence: Evidence[] = []
  let had = false
  for (const occasion of occasions) {
    had = true
    const one = seen(occasion)
    if (one !== undefined) evidence.push(one)
  }
  return had ? evidence : undefined
}

/** What was seen in one or several requests. */
export function seenIn(requests: readonly [AnsweredRequest, ...AnsweredRequest[]], seen: string): Evidence {
  const [{ at, taskId }] = requests
  return { at, taskId, requestIds: requests.slice(0, MOST_IDS).map(({ id }) => id), seen }
}

/** What was seen in an attempt to deliver a webhook. */
export function seenAt({ delivery, attempt }: Sent, seen: string): Evidence {
  return { at: attempt.startedAt, taskId: delivery.taskId, deliveryIds: [delivery.id], seen }
}

/** The request line, without what signs it. */
export function line({ method, path }: AnsweredRequest): string {
  return `${method} ${short(path)}`
}

/** What a client has sent, at a length that can be shown. */
export function short(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text
}

/** A time as one says it. */
export function seconds(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 120_000) return `${Math.round(milliseconds / 100) / 10} s`
  if (milliseconds < 7_200_000) return `${Math.round(milliseconds / 6_000) / 10} min`
  return `${Math.round(milliseconds / 360_000) / 10} h`
}

/** How often, as one says it. */
export function times(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`
}
