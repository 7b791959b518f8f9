import { canonicalJson } from '../../../engine/json.js'
import type { AnsweredRequest } from '../../../engine/requests/answered-request.js'
import type { Task } from '../../../engine/tasks/task.js'
import { collectEvidence, formatDuration, requestEvidence } from '../evidence.js'
import type { Evidence, FindingRule, Unclear } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import {
  endOf,
  isBilled,
  isSentAfterAnswer,
  showsId,
  type TaskHistory,
  type TaskRequest,
  wasAnnounced,
} from '../task-history.js'

/** Detects a second create request after an answer was lost, although the first request created a task. */
export const paysTwice: FindingRule = {
  id: 'pays-twice',
  severity: 'error',
  title: 'A create request is retried after a lost answer and paid twice',
  why: 'The service carried out the first request and lost only its answer. Both tasks are billed.',
  remedy:
    'If a create request ends without an answer, look for the task in the list of the service before you send the request again. If there is no list, create each task with a webhook, and wait for that. If the service has neither, report the failure. Some official clients repeat create requests by themselves: limit their retries, as with `maxRetries: 0`. To those without such an option, as of fal and Replicate, pass a `fetch` that answers 400 when the answer to a create request is lost.',
  occasion: 'scenario',
  provoke: 'Run the scenario `lost-create-response` or `unanswered-create`.',
  check: (context) => {
    const isOrderedAlike = alikeOrders(context)
    return collectEvidence(lostCreates(context), ([history, retry]) => {
      if (retry !== undefined) return judge(history, retry, context)
      return !isUsed(history) && isOrderedAlike(history) ? ALIKE : undefined
    })
  },
}

const ALIKE: Unclear = {
  reason:
    'After a lost answer, the client ordered again, and the two orders differ only in what looks like an id or a time. If it was the same order, both tasks are billed: send a retry with the same input, so that this rule recognizes it.',
}

/** What a client may write anew for each attempt: a time, or an id. */
const TIME_OR_ID = /\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?|\b(?=[\w-]*\d)[\w-]{16,}/g
const LONG_NUMBER = /(?<=[:,[])\d{10,}(?:\.\d+)?(?=[,\]}])/g

/** Whether a client has ordered again after a lost answer with an input that differs only in times and ids. */
function alikeOrders(context: FindingContext): (lost: LostCreate) => boolean {
  let groups: Map<string, AnsweredRequest[]> | undefined
  return ({ created, task }) => {
    groups ??= groupByOrder(context)
    const others = (task && groups.get(orderWithoutIds(task))) ?? []
    return others.some((request) => isRetry(request, created, context))
  }
}

function groupByOrder({ histories }: FindingContext): Map<string, AnsweredRequest[]> {
  const groups = new Map<string, AnsweredRequest[]>()
  for (const { created, task } of histories) {
    if (created === undefined || task === undefined) continue
    const order = orderWithoutIds(task)
    const group = groups.get(order)
    if (group === undefined) groups.set(order, [created.request])
    else group.push(created.request)
  }
  return groups
}

/** A URL selects what a task is made of, so it stays. */
function orderWithoutIds({ owner, dialect, model, input }: Task): string {
  const text = canonicalJson(input, (value) =>
    JSON.stringify(/^https?:/.test(value) ? value : value.replace(TIME_OR_ID, '*')),
  )
  return `${owner} ${dialect} ${model} ${text.replace(LONG_NUMBER, '*')}`
}

/** Milliseconds. No client has a shorter timeout, so two identical requests within this time are intentional. */
const SHORTEST_TIMEOUT = 1_000

interface LostCreate extends TaskHistory {
  readonly created: TaskRequest
}

/** The billed tasks whose create answer the client could not read, or did not wait for; with the retries. */
function* lostCreates(context: FindingContext): Iterable<[LostCreate, AnsweredRequest | undefined]> {
  for (const history of context.histories) {
    if (!isCreated(history) || !(isBilled(history) || isStuck(history))) continue
    const retry = findRetry(history, context)
    if (retry !== undefined || !showsId(history.created)) yield [history, retry]
  }
}

/** Whether the task runs without end, and would be billed with its success. */
function isStuck({ task }: TaskHistory): boolean {
  return task?.completedAt === undefined && task?.plan.outcome === 'stuck'
}

function isCreated(history: TaskHistory): history is LostCreate {
  return history.created !== undefined
}

/** The next create request for an equal task by the same client, if it may be a retry. */
export function findRetry(
  { created, task }: TaskHistory,
  context: FindingContext,
): AnsweredRequest | undefined {
  if (created === undefined || task === undefined) return undefined
  return context.equalCreates(task).find((request) => isRetry(request, created, context))
}

function isRetry(
  later: AnsweredRequest,
  created: TaskRequest,
  { waits, thresholds }: FindingContext,
): boolean {
  const { request: lost } = created
  if (later.id <= lost.id) return false
  // A client that got the answer before has ordered again on purpose.
  const isLate = later.at < lost.answeredAt && (lost.fault !== undefined || !lost.delivered)
  const isRepeated = isLate && waits.isShorter(lost, later, SHORTEST_TIMEOUT) === false
  if (!isRepeated && (showsId(created) || !isSentAfterAnswer(later, lost))) return false
  // A client that has left the first request open has not given it up before.
  const end = endOf(lost) ?? later
  return Math.min(later.at - end.at, later.realAt - end.realAt) <= thresholds.retry_within
}

const BOTH_USED: Unclear = {
  reason:
    'After a lost answer, the client sent the same create request again, and it used both tasks. It may have ordered twice on purpose: use another input for each task.',
}

function judge(
  history: LostCreate,
  retry: AnsweredRequest,
  context: FindingContext,
): Evidence | Unclear | undefined {
  const { request: lost } = history.created
  const other = context.historyOf(retry.taskId)
  if (isUsed(history) && other !== undefined && isUsedLike(history, other))
    return wasShown(history, retry, context) ? undefined : BOTH_USED
  // The webhook of a task without files has told the client everything.
  if (wasAnnounced(history) && !history.task?.result?.files) return BOTH_USED
  const waited = formatDuration(Math.max(0, retry.at - lost.at))
  const how = retry.at < lost.answeredAt ? 'The answer was late' : 'The answer was lost'
  return requestEvidence(
    [lost, retry],
    `${how}. ${waited} later, the same request created ${retry.taskId} as well.`,
  )
}

/** Whether the client has asked for the task or its files. */
function isUsed({ polls, cancels, results, downloads }: TaskHistory): boolean {
  return polls.length + cancels.length + results.length + downloads.length > 0
}

/** Whether the client also uses the other task, or could not yet: a retry that it ignores is not a second order. */
function isUsedLike({ downloads }: TaskHistory, other: TaskHistory): boolean {
  if (other.task?.completedAt === undefined) return isUsed(other)
  return downloads.length > 0 ? other.downloads.length > 0 : isUsed(other)
}

/** Whether the client has learned about the task before it sent a request. */
function wasShown(
  { id, webhookAttempts }: TaskHistory,
  before: AnsweredRequest,
  { requests }: FindingContext,
): boolean {
  const isListed = requests.some(
    ({ operation, id: request, delivered, status, note }) =>
      operation === 'tasks.list' &&
      request < before.id &&
      delivered &&
      status < 300 &&
      note.observed?.some((task) => task.id === id),
  )
  return isListed || webhookAttempts.some(({ attempt }) => attempt.startedAt <= before.at)
}
