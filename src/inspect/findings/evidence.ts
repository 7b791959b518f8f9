import type { AnsweredRequest } from '../../engine/requests/answered-request.js'
import type { Evidence, RuleResult, Unclear } from './finding.js'
import type { RequestGroup } from './request-groups.js'
import type { WebhookAttempt } from './task-history.js'

const MAX_IDS = 10
const MAX_QUOTED_LENGTH = 100

/**
 * Checks each occasion for a mistake.
 * @param check returns undefined if the client made no mistake
 */
export function collectEvidence<Occasion>(
  occasions: Iterable<Occasion>,
  check: (occasion: Occasion) => Evidence | Unclear | undefined,
): RuleResult {
  const evidence: Evidence[] = []
  let unclear: Unclear | undefined
  let hasOccasion = false
  for (const occasion of occasions) {
    hasOccasion = true
    const found = check(occasion)
    if (found === undefined) continue
    if ('reason' in found) unclear ??= found
    else evidence.push(found)
  }
  if (evidence.length === 0 && unclear !== undefined) return unclear
  return hasOccasion ? evidence : undefined
}

/** Evidence from one or more requests. */
export function requestEvidence(requests: RequestGroup, seen: string): Evidence {
  const [{ at, taskId }] = requests
  return { at, taskId, requestIds: requests.slice(0, MAX_IDS).map(({ id }) => id), seen }
}

/** Evidence from one attempt to deliver a webhook. */
export function webhookEvidence({ delivery, attempt }: WebhookAttempt, seen: string): Evidence {
  return { at: attempt.startedAt, taskId: delivery.taskId, deliveryIds: [delivery.id], seen }
}

/** The method and the path. Omits the query, which may contain a signature. */
export function requestLine({ method, path }: AnsweredRequest): string {
  return `${method} ${shorten(path)}`
}

/** Limits the length of text from the client. */
export function shorten(text: string): string {
  return text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}...` : text
}

/** Such as `250 ms`, `3.5 s` or `2 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 120_000) return `${Math.round(milliseconds / 100) / 10} s`
  if (milliseconds < 7_200_000) return `${Math.round(milliseconds / 6_000) / 10} min`
  return `${Math.round(milliseconds / 360_000) / 10} h`
}

/** Such as `once`, `twice` or `3 times`. */
export function formatTimes(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`
}
