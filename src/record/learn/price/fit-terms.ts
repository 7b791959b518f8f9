import { Chance } from '../../../engine/random.js'
import { costOf, type Price, type Usage } from '../../../engine/tasks/pricing.js'
import { roundestBetween } from '../../numbers.js'
import type { PricedTask } from './priced-tasks.js'

/** A part of a price. */
type Term = keyof Price

/** How much of each unit a task consumed: micro-dollars per dollar of the price. Undefined if unknown. */
const AMOUNTS: Readonly<Record<Term, (usage: Usage) => number | undefined>> = {
  per_task: () => 1_000_000,
  per_image: ({ images }) => images && images * 1_000_000,
  per_second: ({ seconds }) => seconds && seconds * 1_000_000,
  per_million_input_tokens: ({ inputTokens }) => inputTokens,
  per_million_output_tokens: ({ outputTokens }) => outputTokens,
}

/** The micro-dollars of a task for each dollar of one part of the price. */
function amountOf(term: Term, usage: Usage): number | undefined {
  return AMOUNTS[term](usage)
}

const ALL: readonly Term[] = [
  'per_image',
  'per_second',
  'per_million_output_tokens',
  'per_million_input_tokens',
  'per_task',
]

/** All lists of this many parts of a price: those that only some kinds have come first, `per_task` comes last. */
export function termsOfSize(size: number, from: readonly Term[] = ALL): Term[][] {
  if (size === 0) return [[]]
  return from.flatMap((term, index) =>
    termsOfSize(size - 1, from.slice(index + 1)).map((rest) => [term, ...rest]),
  )
}

const TRIALS = 40

/** More tasks would not make a price more exact, only slower to find. */
const MOST_ROWS = 300

/** Micro-dollars by which a cost may differ from the sum of its parts: half of one is rounding. */
const TOLERANCE = 0.75

/** How often a price is calculated again from the costs that agree with it. */
const ROUNDS = 3

/** The standard deviation of a rounding error, and how many of them a price may be off. */
const ROUNDING_ERROR = 0.29
const ERRORS = 4
const SMALLEST_PRICE = 1e-9

/**
 * Finds the price with these parts that explains the most costs, exactly if possible.
 * @returns undefined if no price of these parts is plausible
 * @see Fischler and Bolles, "Random Sample Consensus", 1981
 */
export function fitTerms(terms: readonly Term[], tasks: readonly PricedTask[]): Price | undefined {
  const rows = tasks.slice(0, MOST_ROWS).map(({ usage, cost }) => ({
    amounts: terms.map((term) => amountOf(term, usage) ?? Number.NaN),
    cost,
  }))
  if (rows.some(({ amounts }) => amounts.some(Number.isNaN))) return undefined
  const agreeing = largestConsensus(terms, rows)
  if (agreeing.length === 0) return undefined
  const prices = [widestError, statisticalError].flatMap((error) => roundPrice(terms, agreeing, error) ?? [])
  const shares = prices.map((price) => explainedShare(price, tasks))
  return prices[shares.indexOf(Math.max(...shares))]
}

/** The most rows that agree on one price. */
function largestConsensus(terms: readonly Term[], rows: readonly Row[]): readonly Row[] {
  const random = Chance.of('price').stream(terms.join())
  let largest: readonly Row[] = []
  for (let trial = 0; trial < TRIALS && largest.length < rows.length; trial++) {
    let agreeing: readonly Row[] = terms.flatMap(() => rows[random.int(rows.length)] ?? [])
    for (let round = 0; round < ROUNDS; round++) {
      const factors = solve(agreeing)
      agreeing = factors === undefined ? [] : rows.filter((row) => deviation(row, factors) <= TOLERANCE)
    }
    if (agreeing.length > largest.length) largest = agreeing
  }
  return largest
}

interface Row {
  readonly amounts: readonly number[]
  readonly cost: number
}

function solve(rows: readonly Row[]): number[] | undefined {
  return leastSquares(
    rows.map(({ amounts }) => amounts),
    rows.map(({ cost }) => cost),
  )
}

function deviation({ amounts, cost }: Row, factors: readonly number[]): number {
  return Math.abs(amounts.reduce((sum, amount, index) => sum + amount * (factors[index] ?? 0), 0) - cost)
}

/**
 * Gives the parts as few decimals as their errors allow, one after the other. Each rounded part makes the next one more
 * exact.
 */
function roundPrice(
  terms: readonly Term[],
  rows: readonly Row[],
  errorOf: (rows: readonly Row[]) => number,
): Price | undefined {
  const price: Partial<Record<Term, number>> = {}
  let left = rows
  for (const term of terms) {
    const [factor = 0] = solve(left) ?? []
    const error = errorOf(left)
    const rounded = roundestBetween(factor - error, factor + error)
    if (rounded < SMALLEST_PRICE) return undefined
    price[term] = rounded
    left = left.map(({ amounts: [amount = 0, ...rest], cost }) => ({
      amounts: rest,
      cost: cost - rounded * amount,
    }))
  }
  return price
}

/** The error of the first factor if all costs were rounded in the same direction. */
function widestError(rows: readonly Row[]): number {
  return 0.5 / Math.max(...rows.map(({ amounts: [amount = 0] }) => amount))
}

/** The error of the first factor, from the part of its amounts that the other amounts do not explain. */
function statisticalError(rows: readonly Row[]): number {
  const targets = rows.map(({ amounts: [amount = 0] }) => amount)
  const others = rows.map(({ amounts: [, ...rest] }) => rest)
  const factors = others[0]?.length === 0 ? [] : (leastSquares(others, targets) ?? [])
  const squares = rows.reduce((sum, _, index) => {
    const explained = (others[index] ?? []).reduce(
      (total, amount, at) => total + amount * (factors[at] ?? 0),
      0,
    )
    return sum + ((targets[index] ?? 0) - explained) ** 2
  }, 0)
  return (ERRORS * ROUNDING_ERROR) / Math.sqrt(squares)
}

/** The share of costs that a price explains to the micro-dollar. */
export function explainedShare(price: Price, tasks: readonly PricedTask[]): number {
  return tasks.filter(({ usage, cost }) => costOf(price, usage) === cost).length / tasks.length
}

/** The smallest pivot, relative to the largest entry of its row, of a system that has one solution. */
const SMALLEST_PIVOT = 1e-9

/**
 * Solves a system of linear equations by Gaussian elimination with scaled rows.
 * @param rows the coefficients of each equation, then its right side
 * @returns undefined if the equations depend on each other
 */
function solveLinear(rows: readonly (readonly number[])[]): number[] | undefined {
  const size = rows.length
  const left = rows.map((row) => {
    const scale = Math.max(...row.slice(0, size).map(Math.abs)) || 1
    return row.map((value) => value / scale)
  })
  for (let column = 0; column < size; column++) {
    const pivot = takePivot(left, column)
    if (pivot === undefined) return undefined
    for (const row of left) {
      if (row === pivot) continue
      const factor = (row[column] ?? 0) / (pivot[column] ?? 1)
      for (let index = column; index <= size; index++)
        row[index] = (row[index] ?? 0) - factor * (pivot[index] ?? 0)
    }
  }
  return left.map((row, column) => (row[size] ?? 0) / (row[column] ?? 1))
}

/** Moves the row with the largest entry of a column to the position of the column. */
function takePivot(rows: number[][], column: number): number[] | undefined {
  let best = column
  for (let row = column; row < rows.length; row++) {
    if (Math.abs(rows[row]?.[column] ?? 0) > Math.abs(rows[best]?.[column] ?? 0)) best = row
  }
  const pivot = rows[best]
  if (pivot === undefined || Math.abs(pivot[column] ?? 0) < SMALLEST_PIVOT) return undefined
  rows[best] = rows[column] ?? pivot
  rows[column] = pivot
  return pivot
}

/** The least-squares solution: the factors of the columns whose sum is nearest to the targets. */
function leastSquares(
  points: readonly (readonly number[])[],
  targets: readonly number[],
): number[] | undefined {
  const columns = points[0]?.keys() ?? []
  const rows = [...columns].map((row) => {
    const products = [...(points[0]?.keys() ?? [])].map((column) =>
      points.reduce((sum, point) => sum + (point[row] ?? 0) * (point[column] ?? 0), 0),
    )
    return [
      ...products,
      points.reduce((sum, point, index) => sum + (point[row] ?? 0) * (targets[index] ?? 0), 0),
    ]
  })
  return solveLinear(rows)
}
