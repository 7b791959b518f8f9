/** A measured value, with its target. */
export interface Figure {
  readonly name: string
  /** The median of all rounds or the best one, if there were several. */
  readonly value: number
  readonly unit: Unit
  readonly target?: Target
  /** The lowest and the highest round. */
  readonly spread?: readonly [number, number]
}

export type Unit =
  | 'x'
  | 'ms'
  | 'us'
  | 'B'
  | 'MB'
  | '%'
  | 'req/s'
  | 'tasks/s'
  | 'runs/s'
  | 'webhooks/s'
  | 'files'
  | 'functions'

/** The bound for a figure. */
export type Target = { readonly atLeast: number } | { readonly atMost: number } | { readonly below: number }

/** Returns a figure from the values of several rounds. */
export function figureOf(name: string, unit: Unit, rounds: readonly number[], target?: Target): Figure {
  return {
    name,
    unit,
    value: median(rounds),
    spread: [Math.min(...rounds), Math.max(...rounds)],
    ...(target !== undefined && { target }),
  }
}

/**
 * Returns a figure from the best of several rounds, for a cost in absolute terms: other processes on the machine only
 * add to it.
 * @param unit a unit per second if more is better
 */
export function bestOf(name: string, unit: Unit, rounds: readonly number[], target?: Target): Figure {
  const best = unit.endsWith('/s') ? Math.max(...rounds) : Math.min(...rounds)
  return { ...figureOf(name, unit, rounds, target), value: best }
}

/** Returns the middle value, which a single disturbed round does not change. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}

/** Returns the value that this share of all values, from 0 to 1, does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
}

/** Returns whether a figure meets its target; undefined without a target. */
export function isMet({ value, target }: Figure): boolean | undefined {
  if (target === undefined) return undefined
  if ('atLeast' in target) return value >= target.atLeast
  return 'atMost' in target ? value <= target.atMost : value < target.below
}
