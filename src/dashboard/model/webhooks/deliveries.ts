import type { DeliveryBriefShape, DeliveryShape } from '../../../control/shapes.js'
import { wordsTest } from '../field-values.js'
import { isDeceived, type Verdict, verdictOf } from './attempts.js'

/** More than the server keeps. */
const MAX_DELIVERIES = 10_000

/** The latest deliveries. Pages of the list and entries of the stream may arrive repeatedly and in any order. */
export class DeliveryStore {
  readonly #deliveries = new Map<string, DeliveryBriefShape>()
  /** Newest first, because ids increase; undefined after a new delivery. */
  #sorted: readonly string[] | undefined

  get size(): number {
    return this.#deliveries.size
  }

  clear(): void {
    this.#deliveries.clear()
    this.#sorted = undefined
  }

  get(id: string): DeliveryBriefShape | undefined {
    return this.#deliveries.get(id)
  }

  /** Adds a delivery, or replaces an earlier state of it. */
  put(delivery: DeliveryBriefShape): void {
    const known = this.#deliveries.get(delivery.id)
    if (known !== undefined && isEarlier(delivery, known)) return
    this.#deliveries.set(delivery.id, delivery)
    if (known === undefined) this.#sorted = undefined
  }

  /** The matching deliveries, newest first. */
  list(test: (delivery: DeliveryBriefShape) => boolean): DeliveryBriefShape[] {
    const found: DeliveryBriefShape[] = []
    for (const id of this.#newestFirst()) {
      const delivery = this.#deliveries.get(id)
      if (delivery !== undefined && test(delivery)) found.push(delivery)
    }
    return found
  }

  #newestFirst(): readonly string[] {
    if (this.#sorted !== undefined) return this.#sorted
    const ids = [...this.#deliveries.keys()].sort().reverse()
    for (const id of ids.splice(MAX_DELIVERIES)) this.#deliveries.delete(id)
    this.#sorted = ids
    return ids
  }
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

/** The conditions on deliveries, as in the address. An empty one matches all. */
type DeliveryFilter = Readonly<Record<'state' | 'event' | 'receiver' | 'verdict' | 'task' | 'text', string>>

/** The states, in the order of the counts. */
export const DELIVERY_STATES = ['pending', 'delivered', 'given_up', 'lost'] as const

/** Whether the service with a dialect signs its webhooks. */
type IsSigned = (dialect: string) => boolean

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
