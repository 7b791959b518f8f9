import type { DeliveryBriefShape, DeliveryShape } from '../../../control/shapes.js'
import { ItemStore } from '../item-store.js'
import { ListFilter } from '../list-filter.js'
import { isDeceived, type Verdict, verdictOf } from './attempts.js'

/** The states, in the order of the counts. */
export const DELIVERY_STATES = ['pending', 'delivered', 'given_up', 'lost'] as const

/** Whether the service with a dialect signs its webhooks. */
type IsSigned = (dialect: string) => boolean

/** The condition on webhooks that a receiver should have rejected. */
export const DECEIVED = 'deceived'

/** A store for deliveries, each in its latest state, of which it keeps more than the server. */
export function createDeliveryStore(isSigned: IsSigned) {
  return new ItemStore({
    filter: new ListFilter(
      {
        state: ({ state }: DeliveryBriefShape) => state,
        event: ({ event }) => event,
        receiver: ({ url }) => url,
        dialect: ({ dialect }) => dialect,
        task: ({ task_id: task }) => task,
        verdict: (delivery) => {
          const verdicts = verdictsOf(delivery, isSigned)
          const isWrong = delivery.attempts.some((attempt, index) =>
            isDeceived(attempt, verdicts[index] ?? 'none'),
          )
          return [...new Set(verdicts), ...(isWrong ? [DECEIVED] : [])]
        },
      },
      lineOf,
    ),
    choices: ['event', 'receiver', 'dialect'],
    rankOf: ({ id }) => numberOf(id),
    isEarlier,
    most: 10_000,
  })
}

/** Whether a delivery shows a state before that of another one. */
function isEarlier(one: DeliveryBriefShape, other: DeliveryBriefShape): boolean {
  if (one.attempts.length !== other.attempts.length) return one.attempts.length < other.attempts.length
  return one.state === 'pending' && other.state !== 'pending'
}

/** Leaves out headers and bodies, which would fill the memory of the page. */
export function deliveryBriefOf(delivery: DeliveryShape): DeliveryBriefShape {
  const attempts = delivery.attempts.map(({ request: _, response: __, expected: ___, ...brief }) => brief)
  return { ...delivery, attempts }
}

/** The number of a delivery at the end of its id, such as 37 of `dlv_00000011`, in the order of creation. */
export function numberOf(id: string): number {
  const number = Number.parseInt(id.slice(id.lastIndexOf('_') + 1), 36)
  return Number.isNaN(number) ? 0 : number
}

/** The verdict on each attempt of a delivery. */
export function verdictsOf(
  { attempts, dialect }: Pick<DeliveryBriefShape, 'attempts' | 'dialect'>,
  isSigned: IsSigned,
): Verdict[] {
  const isService = isSigned(dialect)
  return attempts.map((attempt) => verdictOf(attempt, isService))
}

function lineOf(delivery: DeliveryBriefShape): string {
  const { id, task_id: task, event, url, dialect, fault = '', attempts } = delivery
  const answers = attempts.map(({ status = '', error = '', flaw = '' }) => `${status} ${error} ${flaw}`)
  return `${id} ${task} ${event} ${url} ${dialect} ${fault} ${answers.join(' ')}`
}
