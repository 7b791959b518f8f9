import type { AnsweredRequest } from '../engine/events.js'
import type { Exploration } from '../engine/exploration/exploration.js'
import { writePlace } from '../engine/exploration/place.js'
import { maskPatterns } from '../engine/secret-patterns.js'
import type { Delivery } from '../engine/webhooks/deliveries/delivery.js'
import { formatDuration, shorten } from '../inspect/findings/evidence.js'
import type { FindingContext } from '../inspect/findings/finding-context.js'
import { isAccepted, type WebhookAttempt } from '../inspect/findings/task-history.js'
import type { TimelineEntry } from './run.js'

/** The number of lines before the middle of a long timeline is left out. */
const MAX_LINES = 300

/** What happened in a run, in order: requests with their answers, and webhooks with those of the receiver. */
export function timelineOf(
  { requests, webhookAttempts, histories }: FindingContext,
  exploration: Exploration,
): TimelineEntry[] {
  const lost = histories.flatMap(({ deliveries }) =>
    [...deliveries.values()].filter(({ state }) => state === 'lost'),
  )
  const entries = [
    ...requests.map((request) => requestEntry(request, exploration)),
    ...webhookAttempts.map((webhook) => webhookEntry(webhook, exploration)),
    ...lost.map((delivery) => lostEntry(delivery, exploration)),
  ].sort((a, b) => a.at - b.at)
  const start = entries[0]?.at ?? 0
  return shortened(folded(entries.map((entry) => ({ ...entry, at: entry.at - start }))))
}

function requestEntry(request: AnsweredRequest, { applied }: Exploration): TimelineEntry {
  const { at, method, path, fault = '', note } = request
  const isDeviating = applied.has(fault) || (fault === '' && note.isAltered === true)
  const text = `${method} ${maskPatterns(shorten(path))} -> ${answerIn(request)}`
  return { at, text, place: note.place, isDeviating }
}

/** Such as `200 processing`, or `no answer`. */
function answerIn({ operation, status, delivered, taskId, retryAfter, note }: AnsweredRequest): string {
  const id = operation === 'tasks.create' && taskId !== undefined ? ` (${taskId})` : ''
  if (note.unanswered !== undefined) return `never answered${id}`
  if (status === 0) return `no answer${id}`
  if (!delivered) return `${status}, broke off${id}`
  if (retryAfter !== undefined) return `${status}, Retry-After ${formatDuration(retryAfter)}${id}`
  const states = (note.observed ?? []).map((task) => task.status)
  const changed = note.isAltered && status < 300 ? ', changed' : ''
  return `${[`${status}`, ...new Set(states)].join(' ')}${changed}${id}`
}

function webhookEntry({ delivery, attempt }: WebhookAttempt, exploration: Exploration): TimelineEntry {
  const { startedAt, status, error, flaw } = attempt
  const forged = flaw === undefined ? '' : ` (${flaw})`
  const answer = status === undefined ? (error ?? 'no answer') : `${status}`
  const verdict = flaw !== undefined && isAccepted(attempt) ? `${answer}, accepted` : answer
  return { ...webhookPlace(delivery, exploration, `${forged} -> ${maskPatterns(verdict)}`), at: startedAt }
}

function lostEntry(delivery: Delivery, exploration: Exploration): TimelineEntry {
  return { ...webhookPlace(delivery, exploration, ' -> lost'), at: delivery.createdAt }
}

function webhookPlace(
  { taskId, event, taskEvent, rule }: Delivery,
  exploration: Exploration,
  rest: string,
): Omit<TimelineEntry, 'at'> {
  const task = exploration.numberOf(taskId)
  return {
    text: `webhook ${event} of ${taskId}${rest}`,
    place: task && writePlace({ type: 'webhook', event: taskEvent, task }),
    isDeviating: rule !== undefined && exploration.applied.has(rule),
  }
}

/** Combines equal lines that follow each other, such as those of polls. */
function folded(entries: readonly TimelineEntry[]): TimelineEntry[] {
  const groups: { entry: TimelineEntry; last: TimelineEntry; count: number }[] = []
  for (const entry of entries) {
    const group = groups.at(-1)
    if (
      group === undefined ||
      group.entry.text !== entry.text ||
      group.entry.isDeviating ||
      entry.isDeviating
    )
      groups.push({ entry, last: entry, count: 1 })
    else Object.assign(group, { last: entry, count: group.count + 1 })
  }
  return groups.map(({ entry, last, count }) =>
    count === 1
      ? entry
      : { ...entry, text: `${entry.text} (${count} times in ${formatDuration(last.at - entry.at)})` },
  )
}

/** Leaves out lines in the middle of a long timeline. */
function shortened(entries: readonly TimelineEntry[]): TimelineEntry[] {
  const left = entries.length - MAX_LINES
  if (left <= 0) return [...entries]
  const half = MAX_LINES / 2
  const [before, after] = [entries.slice(0, half), entries.slice(-half)]
  const at = before.at(-1)?.at ?? 0
  return [...before, { at, text: `... ${left} more lines`, isDeviating: false }, ...after]
}
