import type { AnsweredRequest } from '../../../engine/events.js'
import { collectEvidence, formatDuration, requestEvidence } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import { byArrival } from '../request-groups.js'
import { isAnswerLost, isSentAfterAnswer, SHORTEST_TIMEOUT, type TaskRequest } from '../task-history.js'

/** Detects a second create request after an answer was lost, although the first request created a task. */
export const paysTwice: FindingRule = {
  id: 'pays-twice',
  severity: 'error',
  title: 'A create request is retried after a lost answer and paid twice',
  why: 'The service carried out the first request and lost only its answer. Both tasks are billed.',
  remedy:
    'If a create request ends without an answer, look for the task in the list, if there is one, before you send the request again.',
  provoke: 'Run the scenario `lost-create-response`, or apply the fault `lost` to `tasks.create`.',
  check: (context) => {
    const lists = context.requests.filter(isReadList)
    return collectEvidence(lostCreates(context), ([lost, later]) => {
      const retry = later.find((create) => isRetry(create, lost))
      if (retry === undefined || isTooLate(retry, lost, context) || hasSearched(lost, retry, lists))
        return undefined
      return requestEvidence(
        [lost, retry],
        `The answer was lost. ${formatDuration(retry.at - lost.at)} later, the same request created ${retry.taskId} as well.`,
      )
    })
  },
}

/** Each create request whose answer was lost, with the later identical requests of the same client. */
function* lostCreates({
  histories,
}: FindingContext): Iterable<[AnsweredRequest, readonly AnsweredRequest[]]> {
  const groups = new Map<string, TaskRequest[]>()
  for (const { created, task } of histories) {
    if (created === undefined) continue
    const identity = `${task?.owner ?? created.request.key} ${created.request.note.bodyHash}`
    const group = groups.get(identity)
    if (group === undefined) groups.set(identity, [created])
    else group.push(created)
  }
  for (const group of groups.values()) {
    const creates = group.map(({ request }) => request).sort(byArrival)
    for (const { request } of group.filter(isAnswerLost))
      yield [request, creates.slice(creates.indexOf(request) + 1)]
  }
}

function isRetry(create: AnsweredRequest, lost: AnsweredRequest): boolean {
  return isSentAfterAnswer(create, lost) || create.at - lost.at >= SHORTEST_TIMEOUT
}

function isTooLate(retry: AnsweredRequest, lost: AnsweredRequest, { thresholds }: FindingContext): boolean {
  return retry.at - lost.answeredAt > thresholds.retry_within
}

function isReadList({ operation, status, delivered }: AnsweredRequest): boolean {
  return operation === 'tasks.list' && delivered && status < 300
}

/** Whether the client read a list between the two requests, and no list contained the task. */
function hasSearched(
  lost: AnsweredRequest,
  retry: AnsweredRequest,
  lists: readonly AnsweredRequest[],
): boolean {
  const between = lists.filter(({ key, id }) => key === lost.key && id > lost.id && id < retry.id)
  const hasTask = between.some(({ note }) => note.observed?.some(({ id }) => id === lost.taskId))
  return between.length > 0 && !hasTask
}
