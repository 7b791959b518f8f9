import type { Price, Usage } from '../../../engine/tasks/pricing.js'

/** A part of a price. */
export type Term = keyof Price

/** How much of each unit a task consumed: micro-dollars per dollar of the price. Undefined if unknown. */
const AMOUNTS: Readonly<Record<Term, (usage: Usage) => number | undefined>> = {
  per_task: () => 1_000_000,
  per_image: ({ images }) => images && images * 1_000_000,
  per_second: ({ seconds }) => seconds && seconds * 1_000_000,
  per_million_input_tokens: ({ inputTokens }) => inputTokens,
  per_million_output_tokens: ({ outputTokens }) => outputTokens,
}

/** The micro-dollars of a task for each dollar of one part of the price. */
export function amountOf(term: Term, usage: Usage): number | undefined {
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
