import type {
  DeliveryShape,
  DialectShape,
  EntryShape,
  TaskBriefShape,
  TaskShape,
} from '../../../control/shapes.js'
import { duration } from '../format.js'

/** URLs of files in something that the client got. Times are epoch milliseconds. */
export interface GivenUrls {
  readonly in: 'answer' | 'webhook'
  readonly expire: number
}

/** The URLs of the files of a task that the client got, by what it got them with and when they expire. */
export function givenUrls({
  task: { id },
  entries,
  deliveries,
}: {
  readonly task: Pick<TaskShape, 'id'>
  readonly entries: readonly EntryShape[]
  readonly deliveries: readonly DeliveryShape[]
}): GivenUrls[] {
  const answers = entries.flatMap((entry) =>
    entry.type === 'request' && entry.delivered ? expiriesIn(entry.response_body, id) : [],
  )
  const webhooks = deliveries.flatMap(({ attempts }) =>
    attempts.flatMap(({ status, request }) => (status === undefined ? [] : expiriesIn(request.body, id))),
  )
  return [
    ...[...new Set(answers)].map((expire) => ({ in: 'answer', expire }) as const),
    ...[...new Set(webhooks)].map((expire) => ({ in: 'webhook', expire }) as const),
  ]
}

const SIGNED = /\/files\/(?:sb_[\w-]+\/)?([\w-]+)\/[^"?]*\?[^"]*?expires=(\d+)/g

function expiriesIn(body: string | undefined, taskId: string): number[] {
  return [...(body ?? '').matchAll(SIGNED)].flatMap(([, id, seconds]) =>
    id === taskId ? [Number(seconds) * 1_000] : [],
  )
}

/**
 * When the last URLs expire that the client of a task in a list got.
 * @param shown when an answer last showed the task, in ISO 8601
 * @returns undefined if the task has no files, or the lifetime is not known yet
 */
export function lastExpiry(
  { files, completed_at: completed }: TaskBriefShape,
  urls: DialectShape['urls'] | undefined,
  shown: string | undefined,
): number | undefined {
  if (!files || completed === undefined || urls === undefined) return undefined
  const end = Date.parse(completed)
  const given = urls.renewed ? Math.max(end, shown === undefined ? end : Date.parse(shown)) : end
  return given + urls.lifetime_ms
}

/** How long ago something has expired, such as `expired 31 min ago`; undefined if it has not. */
export function sinceExpiry(expire: number | undefined, now: number): string | undefined {
  return expire === undefined || now < expire ? undefined : `expired ${duration(now - expire)} ago`
}
