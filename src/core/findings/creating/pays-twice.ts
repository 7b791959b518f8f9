import type { AnsweredRequest } from '../../events.js'
import type { Case } from '../case.js'
import { judge, seconds, seenIn } from '../evidence.js'
import type { Evidence, FindingRule } from '../finding.js'
import { follows, type Story } from '../story.js'

/** A client that waits less for an answer than this, in milliseconds, does not time out: it sends the same twice. */
const SHORTEST_TIMEOUT = 1_000

/** A create request is sent again though the first one was carried out. */
export const paysTwice: FindingRule = {
  id: 'pays-twice',
  severity: 'error',
  title: 'A lost answer to a create request is retried blindly, and paid twice',
  why: 'The request was carried out and only its answer lost: there are two tasks now, and both are billed.',
  remedy:
    'When a create request ends without an answer, look in the list for the task before sending it again.',
  look: (record) => {
    const orders = ordersIn(record)
    return judge(orders.filter(isLost), (lost) => retried(lost, orders, record))
  },
}

interface Order {
  readonly request: AnsweredRequest
  readonly story: Story
  /** What is the same in two orders of the same thing by the same client. */
  readonly identity: string
}

function ordersIn({ stories }: Case): Order[] {
  const orders: Order[] = []
  for (const story of stories.values()) {
    const request = story.created?.request
    if (request === undefined) continue
    orders.push({
      request,
      story,
      identity: `${story.task?.owner ?? request.key} ${request.note.bodyHash}`,
    })
  }
  return orders.sort((a, b) => (a.request.id < b.request.id ? -1 : 1))
}

/** Whether a client could not read the answer, or may not have waited for it. */
function isLost({ request, story }: Order): boolean {
  const isLate = request.fault !== undefined && request.answeredAt - request.at >= SHORTEST_TIMEOUT
  return story.created?.told === undefined || isLate
}

function retried(lost: Order, orders: readonly Order[], record: Case): Evidence | undefined {
  const { request } = lost
  const again = orders.find((order) => order.identity === lost.identity && isRetry(order, lost))
  if (again === undefined || again.request.at - request.answeredAt > record.thresholds.retry_within)
    return undefined
  if (hasLookedForIt(lost, again, record)) return undefined
  const seen = `The answer was lost, and ${seconds(again.request.at - request.at)} later the same request made ${again.story.id} as well.`
  return seenIn([request, again.request], seen)
}

function isRetry({ request }: Order, lost: Order): boolean {
  if (follows(request, lost.request)) return true
  return request.id > lost.request.id && request.at - lost.request.at >= SHORTEST_TIMEOUT
}

/** Whether the client has read a list in between in which the task was not to be seen. */
function hasLookedForIt({ request, story }: Order, again: Order, { requests }: Case): boolean {
  const lists = requests.filter(
    ({ operation, key, id, status, delivered }) =>
      operation === 'tasks.list' &&
      key === request.key &&
      id > request.id &&
      id < again.request.id &&
      delivered &&
      status < 300,
  )
  const wasShown = lists.some(({ note }) => note.shown?.some(({ id }) => id === story.id))
  return lists.length > 0 && !wasShown
}
