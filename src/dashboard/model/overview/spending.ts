import type { CostSeriesShape, OverviewShape } from '../../../control/shapes.js'

/** A line of the legend, and a layer of the bars. */
export interface CostLayer {
  readonly name: string
  readonly usd: number
  /** The number of its color; undefined if it is not in the bars. */
  readonly color: number | undefined
  readonly steps: readonly number[]
}

/** One color for each of the most expensive ones; the others share one layer. */
const COLORS = 5

/** The layers of a chart: the most expensive models or keys, all others together, and the cost of evicted tasks. */
export function layersOf(series: readonly CostSeriesShape[], unassigned: number): CostLayer[] {
  const shown = series.length > COLORS + 1 ? series.slice(0, COLORS) : series
  const rest = series.slice(shown.length)
  const layers = shown.map((each, color): CostLayer => ({ ...each, color }))
  if (rest.length > 0) layers.push({ ...sumOf(rest), color: COLORS })
  if (unassigned > 0) layers.push({ name: 'evicted tasks', usd: unassigned, color: undefined, steps: [] })
  return layers
}

function sumOf(series: readonly CostSeriesShape[]): Omit<CostLayer, 'color'> {
  const [first] = series
  return {
    name: `${series.length} others`,
    usd: series.reduce((sum, { usd }) => sum + usd, 0),
    steps:
      first?.steps.map((_, index) => series.reduce((sum, { steps }) => sum + (steps[index] ?? 0), 0)) ?? [],
  }
}

/** A bar of the chart: the cost of one step. */
export interface CostBar {
  /** When the step starts, in epoch milliseconds. */
  readonly at: number
  readonly usd: number
  /** The parts from the bottom up, as shares of the highest bar. */
  readonly parts: readonly { readonly color: number; readonly bottom: number; readonly height: number }[]
}

/** The bars of the chart. */
export function costBars(
  layers: readonly CostLayer[],
  { from, step_ms: step }: OverviewShape['spending'],
): CostBar[] {
  const stacked = layers.filter(({ color }) => color !== undefined)
  const length = stacked[0]?.steps.length ?? 0
  const sums = Array.from({ length }, (_, index) =>
    stacked.reduce((sum, { steps }) => sum + (steps[index] ?? 0), 0),
  )
  const highest = Math.max(...sums)
  return sums.map((usd, index) => {
    let bottom = 0
    const parts = stacked.flatMap(({ steps, color = 0 }) => {
      const height = (steps[index] ?? 0) / highest
      bottom += height
      return height === 0 ? [] : [{ color, bottom: bottom - height, height }]
    })
    return { at: Date.parse(from ?? '') + index * step, usd, parts }
  })
}
