import type { Exploration } from '../engine/exploration/exploration.js'
import { readPlace, writePlace } from '../engine/exploration/place.js'
import type { AnsweredRequest } from '../engine/requests/answered-request.js'
import { maskPatterns } from '../engine/secret-patterns.js'
import { isTerminal } from '../engine/tasks/task.js'
import type { Attempt, Delivery } from '../engine/webhooks/deliveries/delivery.js'
import { formatDuration, shorten } from '../inspect/findings/evidence.js'
import type { FindingInput } from '../inspect/findings/finding-context.js'
import { isAccepted } from '../inspect/findings/task-history.js'
import type { TimelineEntry } from './run.js'

/** The number of lines from which the middle of a timeline is left out. */
const MAX_LINES = 300

/** What happened in a run, in order: requests with their answers, and webhooks with those of the receiver. */
export function timelineOf(
  { entries, unanswered }: Pick<FindingInput, 'entries' | 'unanswered'>,
  exploration: Exploration,
): TimelineEntry[] {
  const lines = new Lines(exploration)
  const all = [...entries].flatMap((entry) => {
    if (entry.type === 'request') return [lines.ofRequest(entry.request)]
    if (entry.type === 'delivery') return [lines.ofDelivery(entry.delivery, entry.attempt)]
    return []
  })
  for (const request of unanswered) all.push(lines.ofRequest(request))
  all.sort((a, b) => a.at - b.at)
  const start = all[0]?.at ?? 0
  return shortened(folded(all.map((entry) => ({ ...entry, at: entry.at - start }))))
}

/** Writes the lines of a timeline. */
class Lines {
  readonly #exploration: Exploration
  /** The numbers of the tasks that a deviation has made end otherwise. */
  readonly #tasks: ReadonlySet<string>

  constructor(exploration: Exploration) {
    this.#exploration = exploration
    const places = [...exploration.applied].map((id) => readPlace(id.slice(0, id.lastIndexOf(':'))))
    this.#tasks = new Set(places.flatMap((place) => (place?.type === 'task' ? [place.task] : [])))
  }

  ofRequest(request: AnsweredRequest): TimelineEntry {
    const { at, method, path, fault = '', note } = request
    const isPatched = fault === '' && note.isAltered === true
    const isDeviating = this.#exploration.applied.has(fault) || isPatched || this.#showsOtherEnd(note.place)
    const text = `${method} ${maskPatterns(shorten(path))} -> ${answerIn(request)}`
    return { at, text, place: note.place, isDeviating }
  }

  /** @param attempt undefined if the webhook was lost */
  ofDelivery(delivery: Delivery, attempt: Attempt | undefined): TimelineEntry {
    const { taskId, event, taskEvent, rule = '', createdAt } = delivery
    const task = this.#exploration.numberOf(taskId)
    const place = task && writePlace({ type: 'webhook', event: taskEvent, task })
    return {
      at: attempt?.startedAt ?? createdAt,
      text: `webhook ${event} of ${taskId}${attempt === undefined ? ' -> lost' : receptionOf(attempt)}`,
      place,
      isDeviating: this.#exploration.applied.has(rule) || this.#showsOtherEnd(place),
    }
  }

  /** Whether a place shows the failure of a task that is planned by a deviation. */
  #showsOtherEnd(id = ''): boolean {
    const place = readPlace(id)
    if (place?.type === 'request')
      return this.#tasks.has(place.number ?? '') && (place.shows === 'failed' || place.shows === 'canceled')
    if (place?.type !== 'webhook') return false
    return this.#tasks.has(place.task) && (place.event === 'task.failed' || place.event === 'task.canceled')
  }
}

/** Such as `200 processing`, or `never answered`. */
function answerIn(request: AnsweredRequest): string {
  const { operation, status, delivered, taskId, retryAfter, note } = request
  const id = operation === 'tasks.create' && taskId !== undefined ? ` (${taskId})` : ''
  if (!delivered) return `${howItWasLost(request)}${id}`
  if (retryAfter !== undefined) return `${status}, Retry-After ${formatDuration(retryAfter)}${id}`
  const states = new Set(statesIn(request))
  const changed = note.isAltered && status < 300 ? ', changed' : ''
  return `${[status, ...states].join(' ')}${changed}${id}`
}

/** The states that the client saw. */
function statesIn({ note: { observed = [], isAltered, place = '', cause } }: AnsweredRequest): string[] {
  const states = observed.map(({ status }) => status)
  const at = readPlace(place)
  const shows = at?.type === 'request' ? at.shows : undefined
  const isStale = cause !== undefined && 'fault' in cause && cause.fault.stale === true
  // Without its output, a task of Google looks as if it ran, except for the field that says it is done.
  const seemsToRun = states.length === 1 && !states.some(isTerminal)
  return isAltered && !isStale && shows === 'succeeded' && seemsToRun ? [shows] : states
}

function howItWasLost({ status, note: { cause, unanswered } }: AnsweredRequest): string {
  if (unanswered !== undefined) return 'never answered'
  const reset = cause !== undefined && 'fault' in cause ? cause.fault.reset : undefined
  if (reset === 'before' || reset === 'during') return 'no answer, connection reset'
  return status === 0 ? 'no answer' : `${status}, broke off`
}

/** Such as ` (truncated) -> 401`. */
function receptionOf(attempt: Attempt): string {
  const { status, error, flaw } = attempt
  const answer = status === undefined ? maskPatterns(error ?? 'no answer') : String(status)
  if (flaw === undefined) return ` -> ${answer}`
  return ` (${flaw}) -> ${answer}${isAccepted(attempt) ? ', accepted' : ''}`
}

/** Combines equal lines that follow each other, such as those of polls. */
function folded(entries: readonly TimelineEntry[]): TimelineEntry[] {
  const groups: [TimelineEntry, ...TimelineEntry[]][] = []
  for (const entry of entries) {
    const group = groups.at(-1)
    const isSame = group?.[0].text === entry.text && group[0].isDeviating === entry.isDeviating
    if (isSame) group?.push(entry)
    else groups.push([entry])
  }
  return groups.map((group) => {
    const [first] = group
    const until = (group.at(-1) ?? first).at
    if (group.length === 1) return first
    const text = `${first.text} (${group.length} times in ${formatDuration(until - first.at)})`
    return { ...first, text, until }
  })
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
