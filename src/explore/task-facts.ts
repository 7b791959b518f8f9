import type { Exploration } from '../engine/exploration/exploration.js'
import { isJsonObject, type JsonValue, parseJson } from '../engine/json.js'
import type { AnsweredRequest } from '../engine/requests/answered-request.js'
import type { Task } from '../engine/tasks/task.js'
import type { FindingContext } from '../inspect/findings/finding-context.js'
import { isCancel } from '../inspect/findings/reported-status.js'
import { byArrival } from '../inspect/findings/request-groups.js'
import {
  isAccepted,
  isEnded,
  isGenuine,
  isRejected,
  showsId,
  type TaskHistory,
  type TaskRequest,
  type WebhookAttempt,
} from '../inspect/findings/task-history.js'
import type { TaskFacts } from './run.js'

/**
 * Collects what a run shows of a task, after its end.
 * @param wasRunning whether the task still ran when the client ended
 */
export function taskFacts(
  history: TaskHistory,
  task: Task,
  context: FindingContext,
  exploration: Exploration,
  wasRunning: boolean,
): TaskFacts {
  const number = exploration.numberOf(task.id) ?? '0'
  const webhooks = context.webhookAttempts.filter(
    ({ delivery, attempt }) => delivery.taskId === task.id && isAccepted(attempt) && isGenuine(attempt),
  )
  const ends = history.webhookAttempts.filter((webhook) => webhooks.includes(webhook))
  const shown = resultsShown(history, context)
  const files = wholeFiles(history)
  const hasFiles = files.length > 0 || history.hasFiles
  const isConfirmed =
    task.status === 'succeeded' &&
    (shown.some(({ reported }) => reported?.isCertain) || ends.some(isUndamaged))
  return {
    id: task.id,
    number,
    model: task.model,
    input: task.input,
    order: exploration.orders[Number.parseInt(number, 10) - 1] ?? task.model,
    status: task.status,
    cost: task.status === 'succeeded' ? (task.cost ?? 0) : 0,
    isKnown: isKnown(history) || webhooks.length > 0,
    isLeftRunning: wasRunning && context.canCancel(task) && isKnownToRun(history),
    isCanceled: history.cancels.some(({ request }) => isCancel(request)),
    waysToFind: context.waysToFind(history),
    isLearned: isConfirmed || (task.status === 'succeeded' && hasAll(files, task)),
    isConfirmed,
    isShown: task.status === 'succeeded' && (shown.length > 0 || ends.length > 0 || hasFiles),
    isKnownToFail: isKnownToFail(history, task, ends),
    files: files.length === 0 && history.hasFiles ? [...Array(task.result?.files ?? 0).keys()] : files,
    available: task.result?.files ?? 0,
    isGivenUp: isGivenUp(history),
  }
}

/** Whether the client knows the id of a task. A request about it shows that. */
function isKnown({ created, polls, cancels, results, downloads, listed }: TaskHistory): boolean {
  if (created !== undefined && showsId(created)) return true
  return polls.length + cancels.length + results.length + downloads.length > 0 || listed !== undefined
}

/** Whether the last answer about a task showed the client that it runs, and the client has not tried to cancel it. */
function isKnownToRun({ created, polls, cancels }: TaskHistory): boolean {
  const last = polls.at(-1) ?? created
  return cancels.length === 0 && last?.reported !== undefined && !isEnded(last.reported)
}

/** The answers that showed the client that a task has succeeded, with its output. */
function resultsShown(history: TaskHistory, context: FindingContext): TaskRequest[] {
  const { created, polls, results, listedEnd } = history
  const whole = context.hidesOutput(history)
    ? [created, ...results]
    : [created, ...polls, ...results, listedEnd]
  return whole.filter((read) => read?.reported?.status === 'succeeded').filter((read) => read !== undefined)
}

/** Whether the client has each file of a task, wherever it learned of them. */
function hasAll(files: readonly number[], { result }: Task): boolean {
  return files.length > 0 && files.length >= (result?.files ?? 0)
}

/** Whether an accepted webhook has at least the content that the service would send without a deviation. */
function isUndamaged({ delivery, attempt }: WebhookAttempt): boolean {
  const decoder = new TextDecoder()
  const [expected, sent] = [decoder.decode(delivery.payload), decoder.decode(attempt.sent.body)]
  if (expected === sent) return true
  const [whole, part] = [parseJson(sent), parseJson(expected)]
  return whole !== undefined && part !== undefined && contains(whole, part)
}

/** Whether a value has all fields of another one, with their values. */
function contains(whole: JsonValue | undefined, part: JsonValue): boolean {
  if (!isJsonObject(part)) return JSON.stringify(whole) === JSON.stringify(part)
  if (!isJsonObject(whole)) return false
  return Object.entries(part).every(([name, value]) => contains(whole[name], value))
}

function isKnownToFail(history: TaskHistory, task: Task, ends: readonly WebhookAttempt[]): boolean {
  const { created, polls, cancels, results, listed } = history
  const isShown = [created, ...polls, ...cancels, ...results, listed].some(
    (read) => read?.reported?.status === 'failed' || read?.reported?.status === 'canceled',
  )
  if (isShown) return true
  if (task.status !== 'failed' && task.status !== 'canceled') return false
  return ends.length > 0 || results.some(({ request }) => isRejected(request))
}

/** Whether the last answer was a rejection, or an answer that a deviation had changed and that can be read. */
function isGivenUp({ created, polls, results, downloads }: TaskHistory): boolean {
  const reads = [created, ...polls, ...results].flatMap((read) => read?.request ?? [])
  const last = [...reads, ...downloads].sort(byArrival).at(-1)
  return last !== undefined && (isRejected(last) || isChanged(last))
}

function isChanged({ status, delivered, note }: AnsweredRequest): boolean {
  if (!delivered || status >= 300 || note.isAltered !== true) return false
  return isJsonObject(parseJson(note.responseBody ?? ''))
}

/** The indices of the files of a task that the client has downloaded as a whole, at once or in parts. */
function wholeFiles({ downloads }: TaskHistory): number[] {
  const parts = new Map<number, Part[]>()
  const whole = new Set<number>()
  for (const request of downloads) {
    const { method, status, delivered, note } = request
    const file = note.file ?? 0
    if (method !== 'GET' || !delivered || note.isAltered) continue
    if (status === 200 || status === 304) whole.add(file)
    const part = status === 206 ? partIn(request) : undefined
    if (part !== undefined) parts.set(file, [...(parts.get(file) ?? []), part])
  }
  for (const [file, all] of parts) if (areWhole(all)) whole.add(file)
  return [...whole].sort((a, b) => a - b)
}

/** A range of bytes, the last one included, and the length of the whole file. */
interface Part {
  readonly first: number
  readonly last: number
  readonly length: number
}

function partIn({ note }: AnsweredRequest): Part | undefined {
  const range = note.headers?.masked(({ response }) => response['content-range'])
  const [, first, last, length] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(String(range)) ?? []
  return first === undefined ? undefined : { first: +first, last: Number(last), length: Number(length) }
}

function areWhole(parts: readonly Part[]): boolean {
  let end = 0
  for (const { first, last } of [...parts].sort((a, b) => a.first - b.first))
    if (first <= end) end = Math.max(end, last + 1)
  return parts.some(({ length }) => end >= length)
}
