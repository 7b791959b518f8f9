import type { AnsweredRequest } from '../../../engine/events.js'
import type { Case } from '../case.js'
import { judge, seconds, seenIn } from '../evidence.js'
import type { Evidence, FindingRule } from '../finding.js'
import { follows, isLost, type Look, SHORTEST_TIMEOUT } from '../story.js'

/** A create request is sent again though the first one was carried out. */
export const paysTwice: FindingRule = {
  id: 'pays-twice',
  severity: 'error',
  title: 'A lost answer to a create request is retried blindly, and paid twice',
  why: 'The request was carried out and only its answer lost: there are two tasks now, and both are billed.',
  remedy:
    'When a create request ends without an answer, look in the list for the task before sending it again.',
  look: (record) => {
    const lists = record.requests.filter(isReadList)
    return judge(lostOrders(record), ([lost, later]) => {
      const again = later.find((order) => isRetry(order, lost))
      if (again === undefined || isTooLate(again, lost, record) || hasLookedForIt(lost, again, lists))
        return undefined
      return tell(lost, again)
    })
  },
}

type Order = AnsweredRequest

/** Each order whose answer was lost, and what was ordered later with the very same words by the same client. */
function* lostOrders({ stories }: Case): Iterable<[Order, readonly Order[]]> {
  const groups = new Map<string, Look[]>()
  for (const { created, task } of stories.values()) {
    if (created === undefined) continue
    const identity = `${task?.owner ?? created.request.key} ${created.request.note.bodyHash}`
    const group = groups.get(identity)
    if (group === undefined) groups.set(identity, [created])
    else group.push(created)
  }
  for (const group of groups.values()) {
    const orders = group.map(({ request }) => request).sort((a, b) => (a.id < b.id ? -1 : 1))
    for (const { request } of group.filter(isLost)) yield [request, orders.slice(orders.indexOf(request) + 1)]
  }
}

function isRetry(order: Order, lost: Order): boolean {
  return follows(order, lost) || order.at - lost.at >= SHORTEST_TIMEOUT
}

function isTooLate(again: Order, lost: Order, { thresholds }: Case): boolean {
  return again.at - lost.answeredAt > thresholds.retry_within
}

function isReadList({ operation, status, delivered }: AnsweredRequest): boolean {
  return operation === 'tasks.list' && delivered && status < 300
}

/** Whether the client has read a list in between in which the task was not to be seen. */
function hasLookedForIt(lost: Order, again: Order, lists: readonly AnsweredRequest[]): boolean {
  const between = lists.filter(({ key, id }) => key === lost.key && id > lost.id && id < again.id)
  const wasShown = between.some(({ note }) => note.shown?.some(({ id }) => id === lost.taskId))
  return between.length > 0 && !wasShown
}

function tell(lost: Order, again: Order): Evidence {
  const waited = seconds(again.at - lost.at)
  return seenIn(
    [lost, again],
    `The answer was lost, and ${waited} later the same request made ${again.taskId} as well.`,
  )
}
