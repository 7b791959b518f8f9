import { type Price, toDollars } from '../../../engine/tasks/pricing.js'
import { explainedShare, fitTerms, termsOfSize } from './fit-terms.js'
import type { Choice, PricedTask, PricedTasks } from './priced-tasks.js'

/** A price of the tasks whose input has these values. */
interface PriceRule {
  readonly input: Readonly<Record<string, Choice>>
  readonly price: Price
}

/** What the costs of successful tasks show. */
export interface LearnedPrice {
  /** How many costs were compared. */
  readonly samples: number
  readonly price: Price
  /** The prices that depend on one or two fields of the input. Each overrides `price`, and the first one that matches applies. */
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
/** The most combinations of two values: with more, each of them would have too few costs. */
const MOST_GROUPS = 60
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

/** The field of the input, or else the two fields, by whose values the prices have the fewest parts. */
function bestSplit(tasks: readonly PricedTask[]): Split | undefined {
  const fields = [...new Set(tasks.flatMap(({ choices }) => Object.keys(choices)))]
    .sort()
    .filter((field) => isCategory(field, tasks))
  const pairs = fields.flatMap((one, index) => fields.slice(index + 1).map((other) => [one, other]))
  return (
    fewestParts(
      fields.map((field) => [field]),
      tasks,
    ) ?? fewestParts(pairs, tasks)
  )
}

function isCategory(field: string, tasks: readonly PricedTask[]): boolean {
  const { size } = new Set(tasks.map(({ choices }) => choices[field]))
  return size > 1 && size <= MOST_VALUES
}

function fewestParts(candidates: readonly string[][], tasks: readonly PricedTask[]): Split | undefined {
  const splits = candidates.flatMap((fields) => splitBy(fields, tasks) ?? [])
  return splits.sort((one, other) => partsOf(one) - partsOf(other))[0]
}

function partsOf({ price, rules }: Split): number {
  return [price, ...rules.map((rule) => rule.price)].reduce((sum, part) => sum + Object.keys(part).length, 0)
}

/** The prices of the tasks with each combination of values; undefined if they leave too many costs unexplained. */
function splitBy(fields: readonly string[], tasks: readonly PricedTask[]): Split | undefined {
  const groups = groupsBy(fields, tasks)
  if (groups.length > MOST_GROUPS) return undefined
  const priced: (PriceRule & { readonly size: number })[] = []
  let missed = 0
  for (const { input, group } of groups) {
    const price = group.length < MIN_COSTS ? undefined : findPrice(group)
    missed += group.length * (price === undefined ? 1 : 1 - explainedShare(price, group))
    if (missed > (1 - ENOUGH) * tasks.length) return undefined
    if (price !== undefined) priced.push({ input, price, size: group.length })
  }
  // A rule cannot match a missing field, so rules with more fields come first, and those with the fewest are general.
  priced.sort((one, other) => fieldsIn(one) - fieldsIn(other) || other.size - one.size)
  const [general, ...others] = priced
  const rules = others
    .sort((one, other) => fieldsIn(other) - fieldsIn(one))
    .map(({ input, price }) => ({ input, price }))
  return general && { price: general.price, rules, explained: 1 - missed / tasks.length }
}

function fieldsIn({ input }: Pick<PriceRule, 'input'>): number {
  return Object.keys(input).length
}

interface Group {
  /** The values of the fields; a missing field has none. */
  readonly input: Readonly<Record<string, Choice>>
  readonly group: PricedTask[]
}

/** Divides tasks by the values of fields, the largest groups first. */
function groupsBy(fields: readonly string[], tasks: readonly PricedTask[]): Group[] {
  const groups = new Map<string, Group>()
  for (const task of tasks) {
    const values = fields.map((field) => task.choices[field])
    const name = JSON.stringify(values)
    const known = groups.get(name) ?? { input: inputOf(fields, values), group: [] }
    groups.set(name, known)
    known.group.push(task)
  }
  return [...groups.values()].sort((one, other) => other.group.length - one.group.length)
}

function inputOf(fields: readonly string[], values: readonly (Choice | undefined)[]): Record<string, Choice> {
  const entries = fields.flatMap((field, index): [string, Choice][] => {
    const value = values[index]
    return value === undefined ? [] : [[field, value]]
  })
  return Object.fromEntries(entries)
}
