import { parseJson } from '../../engine/json.js'
import type { AnsweredRequest, Instant } from '../../engine/requests/answered-request.js'
import { isFinalRejection, isSuccess, isTemporary } from '../../engine/requests/statuses.js'
import { isTerminal, type Task } from '../../engine/tasks/task.js'
import type { Attempt, Delivery } from '../../engine/webhooks/deliveries/delivery.js'
import { isCancel, type ReportedStatus } from './reported-status.js'
import { byArrival } from './request-groups.js'

/** A request on a task. */
export interface TaskRequest {
  readonly request: AnsweredRequest
  /** Undefined if the answer did not show the client a status. */
  readonly reported: ReportedStatus | undefined
  /** The word of its state in the answer, if the service has no such word. */
  readonly unknownWord?: string | undefined
}

/** One attempt to deliver a webhook. */
export interface WebhookAttempt {
  readonly delivery: Delivery
  readonly attempt: Attempt
  /** When the receiver had answered, or had not, in epoch milliseconds on the simulator's clock. */
  readonly answeredAt: number
}

/** All journal entries of one task; requests are in order of arrival. */
export interface TaskHistory {
  readonly id: string
  /** The latest state. */
  task: Task | undefined
  created: TaskRequest | undefined
  readonly polls: TaskRequest[]
  /** Requests that cancel or delete the task. */
  readonly cancels: TaskRequest[]
  /** Requests for the result alone, which show no state; `reported` is the state that an answer implies. */
  readonly results: TaskRequest[]
  readonly downloads: AnsweredRequest[]
  /** Whether an answer about the task has contained its files. */
  hasFiles: boolean
  /** The last request about the task, of any operation but lists. */
  last: AnsweredRequest | undefined
  /** The last list that showed the task. */
  listed: TaskRequest | undefined
  /** The first list that showed the task in a final state. */
  listedEnd: TaskRequest | undefined
  /** The latest state of each delivery, by id. */
  readonly deliveries: Map<string, Delivery>
  readonly webhookAttempts: WebhookAttempt[]
}

/** An empty history. */
export function createTaskHistory(id: string): TaskHistory {
  return {
    id,
    task: undefined,
    created: undefined,
    polls: [],
    cancels: [],
    results: [],
    downloads: [],
    hasFiles: false,
    last: undefined,
    listed: undefined,
    listedEnd: undefined,
    deliveries: new Map(),
    webhookAttempts: [],
  }
}

/** Whether a client that reads this status considers the task ended. */
export function isEnded({ status }: ReportedStatus): boolean {
  return status !== 'queued' && status !== 'processing'
}

/** Whether the answer showed the client a final state. */
export function reportsEnd({ reported }: TaskRequest): boolean {
  return reported !== undefined && isEnded(reported)
}

/** When and how reliably a client learned that a task has ended. */
export interface KnownEnd {
  /** Epoch milliseconds. */
  readonly at: number
  /** False if a fault changed every answer that reported the end, and no webhook reported it. */
  readonly isCertain: boolean
}

/**
 * Finds the held answer to the create request, the poll, cancel, result, list or webhook that reported the end of the
 * task to the client, or the download of its output, which shows that the client knows the end. The rejection of a
 * late cancel does not count if the task had succeeded: it contains no output.
 */
export function findKnownEnd({
  created,
  polls,
  cancels,
  results,
  listedEnd,
  webhookAttempts,
  downloads,
}: TaskHistory): KnownEnd | undefined {
  const reads = [created, ...polls, ...cancels, ...results, listedEnd]
    .filter((each) => each !== undefined)
    .filter((each) => reportsEnd(each) && !isLateCancel(each))
  const certain = reads.find(({ reported }) => reported?.isCertain)
  if (certain !== undefined) return { at: certain.request.answeredAt, isCertain: true }
  const webhook = webhookAttempts.find(({ attempt }) => isAccepted(attempt) && isGenuine(attempt))
  if (webhook !== undefined) return { at: webhook.attempt.startedAt, isCertain: true }
  const download = downloads.find((request) => !isRejected(request))
  if (download !== undefined) return { at: download.at, isCertain: true }
  const [first] = reads
  return first && { at: first.request.answeredAt, isCertain: false }
}

/** Whether an answer is the rejection of a cancel request because the task had succeeded. */
function isLateCancel({ request, reported }: TaskRequest): boolean {
  return isCancel(request) && request.status >= 400 && reported?.status === 'succeeded'
}

/** The last cancel request that was rejected because the task had succeeded. */
export function findLateCancel({ cancels }: TaskHistory): AnsweredRequest | undefined {
  return cancels.findLast(isLateCancel)?.request
}

/** Whether the client has ended the task itself, so that it does not want the result. */
export function isDropped({ task, cancels }: TaskHistory): boolean {
  return cancels.length > 0 && (task?.status === 'canceled' || cancels.some(isCarriedOut))
}

/** Whether a cancel or delete request was carried out before the task ended, as far as its answer says. */
function isCarriedOut({ request, reported }: TaskRequest): boolean {
  if (!isSuccess(request.status)) return false
  return reported === undefined || !isEnded(reported) || reported.status === 'canceled'
}

/** Whether the receiver acknowledged the webhook. */
export function isAccepted({ status }: Attempt): boolean {
  return isSuccess(status)
}

/** Whether the service signed the webhook: now or earlier, with the current or the previous secret. */
export function isGenuine({ flaw }: Attempt): boolean {
  return flaw === undefined || flaw === 'previous_secret' || flaw === 'old_timestamp'
}

/** Whether no genuine webhook was delivered, because a webhook fault dropped it or changed each attempt. */
export function isUndeliverable({ state, attempts }: Delivery): boolean {
  if (state === 'lost') return true
  return state === 'given_up' && attempts.length > 0 && attempts.every(({ flaw }) => flaw !== undefined)
}

/** Whether a delivery of the task is still pending. */
export function hasPendingDelivery({ deliveries }: TaskHistory): boolean {
  return [...deliveries.values()].some(({ state }) => state === 'pending')
}

/** Whether nobody has answered an attempt to deliver a webhook of the task, although no fault has changed it. */
export function isUnanswered({ webhookAttempts }: TaskHistory): boolean {
  return (
    webhookAttempts.length > 0 &&
    webhookAttempts.every(({ attempt: { status, flaw } }) => status === undefined && flaw === undefined)
  )
}

/** Whether a poll failed for a reason that may be temporary. */
export function isFailedPoll({ request, reported }: TaskRequest): boolean {
  if (request.method === 'HEAD' || reported !== undefined) return false
  return isFailure(request) || request.status < 300
}

/** Whether a request had no answer, or one that asks the client to try again. */
export function isFailure({ status, delivered }: AnsweredRequest): boolean {
  return !delivered || isTemporary(status)
}

/** Such as `with 503`. */
export function howItFailed({ status, delivered }: AnsweredRequest): string {
  if (status === 0) return 'without an answer'
  if (status >= 300) return `with ${status}`
  return delivered ? 'because its answer shows no state' : 'because its answer broke off'
}

/** The uninterrupted series of failed polls at the end of the history. */
export function trailingFailures({ polls }: TaskHistory): readonly TaskRequest[] {
  let first = polls.length
  while (first > 0 && isFailedPoll(polls[first - 1] as TaskRequest)) first -= 1
  return polls.slice(first)
}

/** Whether an answer tells the client that the same request will never succeed. */
export function isRejected({ operation, status, delivered, note }: AnsweredRequest): boolean {
  // Some clients poll the result itself.
  const isEarly = operation === 'tasks.result' && note.observed?.some((task) => !isTerminal(task.status))
  return delivered && isFinalRejection(status) && !isEarly
}

/** Whether the last answer about the task was a rejection, which a client is right to report. */
export function endsWithRejection({ polls, results }: TaskHistory): boolean {
  const reads = [polls.at(-1), results.at(-1)].flatMap((read) => read?.request ?? [])
  const last = reads.sort(byArrival).at(-1)
  return last !== undefined && isRejected(last)
}

/** When a request was answered. */
export function answerOf({ answeredAt, realAt, took }: AnsweredRequest): Instant {
  return { at: answeredAt, realAt: realAt + took }
}

/** When a request ended: with its answer, or when the client closed it. Undefined if it is still open. */
export function endOf(request: AnsweredRequest): Instant | undefined {
  const { unanswered } = request.note
  return unanswered === undefined ? answerOf(request) : unanswered.closed
}

/** Whether a request was sent after the answer to an earlier one. */
export function isSentAfterAnswer(later: AnsweredRequest, earlier: AnsweredRequest): boolean {
  // Ids distinguish requests of the same millisecond.
  return later.id > (earlier.note.lastArrived ?? earlier.id) && later.at >= earlier.answeredAt
}

/** Whether the client could read the id of the task in the answer to its create request. */
export function showsId({ request, reported }: TaskRequest): boolean {
  const { taskId, status, delivered, note } = request
  if (reported !== undefined) return true
  if (!delivered || !isSuccess(status)) return false
  const { responseBody: body, isAltered } = note
  // The journal keeps no long text. Of a changed answer, it has the tasks that can still be read.
  if (body === undefined) return isAltered !== true
  return taskId !== undefined && body.includes(taskId) && parseJson(body) !== undefined
}

/** Whether the task was billed, or will be. */
export function isBilled({ task }: TaskHistory): boolean {
  if (task === undefined) return false
  return task.completedAt === undefined ? task.plan.outcome === 'succeeded' : task.status === 'succeeded'
}

/** Whether a genuine webhook that the client has accepted reported the end of the task. */
export function wasAnnounced({ webhookAttempts }: TaskHistory): boolean {
  return webhookAttempts.some(({ attempt }) => isAccepted(attempt) && isGenuine(attempt))
}
