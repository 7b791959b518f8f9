import type { DeliveryBriefShape } from '../../../control/shapes.js'
import { wordsTest } from '../words-test.js'
import { isDeceived, type Verdict, verdictOf } from './verdict.js'

/** The conditions on deliveries, as in the address. An empty one matches all. */
export type DeliveryFilter = Readonly<
  Record<'state' | 'event' | 'receiver' | 'verdict' | 'task' | 'text', string>
>

/** The states, in the order of the counts. */
export const DELIVERY_STATES = ['pending', 'delivered', 'given_up', 'lost'] as const

/** Whether the service with a dialect signs its webhooks. */
export type IsSigned = (dialect: string) => boolean

/** Reads the conditions from the query in the address. */
export function deliveryFilterIn(query: Readonly<Record<string, string>>): DeliveryFilter {
  const { state = '', event = '', receiver = '', verdict = '', task = '', text = '' } = query
  return { state, event, receiver, verdict, task, text }
}

/** Compiles the conditions into a predicate. */
export function deliveryTest(
  { state, event, receiver, verdict, task, text }: DeliveryFilter,
  isSigned: IsSigned,
): (delivery: DeliveryBriefShape) => boolean {
  const hasWords = wordsTest(text)
  return (delivery) => {
    if (state !== '' && delivery.state !== state) return false
    if (event !== '' && delivery.event !== event) return false
    if (receiver !== '' && delivery.url !== receiver) return false
    if (task !== '' && delivery.task_id !== task) return false
    if (verdict !== '' && !hasVerdict(delivery, verdict, isSigned)) return false
    return hasWords(() => lineOf(delivery))
  }
}

/** The verdict on each attempt of a delivery. */
export function verdictsOf(
  { attempts, dialect }: Pick<DeliveryBriefShape, 'attempts' | 'dialect'>,
  isSigned: IsSigned,
): Verdict[] {
  const isService = isSigned(dialect)
  return attempts.map((attempt) => verdictOf(attempt, isService))
}

/** The condition on webhooks that a receiver should have rejected. */
export const DECEIVED = 'deceived'

function hasVerdict(delivery: DeliveryBriefShape, wanted: string, isSigned: IsSigned): boolean {
  const verdicts = verdictsOf(delivery, isSigned)
  if (wanted !== DECEIVED) return verdicts.some((verdict) => verdict === wanted)
  return delivery.attempts.some((attempt, index) => isDeceived(attempt, verdicts[index] ?? 'none'))
}

function lineOf(delivery: DeliveryBriefShape): string {
  const { id, task_id: task, event, url, dialect, fault = '', attempts } = delivery
  const answers = attempts.map(({ status = '', error = '', flaw = '' }) => `${status} ${error} ${flaw}`)
  return `${id} ${task} ${event} ${url} ${dialect} ${fault} ${answers.join(' ')}`
}

/**
 * The deliveries that did not arrive and that nobody has sent again.
 * @param all all known deliveries, to find the copies
 */
export function undelivered(
  found: readonly DeliveryBriefShape[],
  all: readonly DeliveryBriefShape[],
): DeliveryBriefShape[] {
  const hasFailed = ({ state }: DeliveryBriefShape) => state === 'given_up' || state === 'lost'
  const sentAgain = new Set(all.filter((each) => !hasFailed(each)).map(({ copy_of: id }) => id))
  const failedCopies = new Set(all.filter(hasFailed).map(({ copy_of: id }) => id))
  return found.filter((each) => hasFailed(each) && !sentAgain.has(each.id) && !failedCopies.has(each.id))
}
