import { type Price, toDollars } from '../../../engine/tasks/pricing.js'
import { explainedShare, fitTerms } from './fit-terms.js'
import type { Choice, PricedTask, PricedTasks } from './priced-tasks.js'
import { termsOfSize } from './terms.js'

/** A price of the tasks whose input has a value. */
interface PriceRule {
  readonly field: string
  readonly value: Choice
  readonly price: Price
}

/** What the costs of successful tasks show. */
export interface LearnedPrice {
  /** How many costs were compared. */
  readonly samples: number
  readonly price: Price
  /** The prices that depend on a field of the input. Each overrides `price`. */
  readonly rules: readonly PriceRule[]
  /** The share of costs that the price and the rules explain to the micro-dollar. */
  readonly explained: number
  /** Whether `price` is only the median of the costs. */
  readonly isMedian: boolean
}

/** The share of costs that a price must explain. */
const ENOUGH = 0.99
const MOST_TERMS = 3
/** Costs are exact, so a few of them are enough. */
export const MIN_COSTS = 5
const MOST_VALUES = 12
/** A price with more digits is a coincidence. */
const MOST_DIGITS = 4

/** Learns the price of a model from at least {@link MIN_COSTS} costs. */
export function learnPrice({ sample }: PricedTasks): LearnedPrice {
  const samples = sample.length
  const whole = findPrice(sample)
  if (whole !== undefined)
    return { samples, price: whole, rules: [], explained: explainedShare(whole, sample), isMedian: false }
  const split = bestSplit(sample)
  if (split !== undefined) return { samples, ...split, isMedian: false }
  const costs = sample.map(({ cost }) => cost).sort((a, b) => a - b)
  const price = { per_task: toDollars(costs[Math.floor(costs.length / 2)] ?? 0) }
  return { samples, price, rules: [], explained: explainedShare(price, sample), isMedian: true }
}

/** The price with the fewest parts that explains enough costs; undefined if there is none. */
function findPrice(tasks: readonly PricedTask[]): Price | undefined {
  if (tasks.every(({ cost }) => cost === 0)) return { per_task: 0 }
  const orders = new Set(tasks.map(({ usage }) => Object.values(usage).join())).size
  for (let size = 1; size <= MOST_TERMS; size++) {
    // With fewer different orders, some price of this many parts would always explain them.
    if (size > 1 && orders < 2 * size) return undefined
    const prices = termsOfSize(size).flatMap((terms) => fitTerms(terms, tasks) ?? [])
    const fitting = prices.filter((price) => explainedShare(price, tasks) >= ENOUGH)
    const price = fitting.find((candidate) => digitsOf(candidate) <= MOST_DIGITS) ?? fitting[0]
    if (price !== undefined) return price
  }
  return undefined
}

/** The digits of the longest part of a price. */
function digitsOf(price: Price): number {
  return Math.max(
    ...Object.values(price).map(
      (part) =>
        Number(part)
          .toPrecision(15)
          .replace(/0+$|^0\.0*|\./g, '').length,
    ),
  )
}

type Split = Pick<LearnedPrice, 'price' | 'rules' | 'explained'>

/** The field of the input by whose values the prices have the fewest parts. */
function bestSplit(tasks: readonly PricedTask[]): Split | undefined {
  const fields = [...new Set(tasks.flatMap(({ choices }) => Object.keys(choices)))].sort()
  const splits = fields.flatMap((field) => splitBy(field, tasks) ?? [])
  return splits.sort((one, other) => partsOf(one) - partsOf(other))[0]
}

function partsOf({ price, rules }: Split): number {
  return [price, ...rules.map((rule) => rule.price)].reduce((sum, part) => sum + Object.keys(part).length, 0)
}

function splitBy(field: string, tasks: readonly PricedTask[]): Split | undefined {
  const groups = new Map<Choice | undefined, PricedTask[]>()
  for (const task of tasks) {
    const group = groups.get(task.choices[field]) ?? []
    groups.set(task.choices[field], group)
    if (groups.size > MOST_VALUES) return undefined
    group.push(task)
  }
  if (groups.size < 2) return undefined
  const priced = [...groups].flatMap(([value, group]) => {
    const price = group.length < MIN_COSTS ? undefined : findPrice(group)
    return price === undefined
      ? []
      : [{ value, price, size: group.length, exact: explainedShare(price, group) }]
  })
  const explained = priced.reduce((sum, { size, exact }) => sum + size * exact, 0) / tasks.length
  if (explained < ENOUGH) return undefined
  // A rule cannot match a missing field, so its price is the general one.
  priced.sort(
    (one, other) =>
      Number(other.value === undefined) - Number(one.value === undefined) || other.size - one.size,
  )
  const [general, ...others] = priced
  return general && { price: general.price, rules: rulesOf(field, others), explained }
}

function rulesOf(
  field: string,
  groups: readonly { readonly value: Choice | undefined; readonly price: Price }[],
): PriceRule[] {
  return groups.flatMap(({ value, price }) => (value === undefined ? [] : [{ field, value, price }]))
}
