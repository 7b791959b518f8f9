/** A line of the table of costs. */
interface CostLine {
  readonly name: string
  readonly usd: number
}

const MOST = 6

/** What each of the most expensive models or keys cost, all others together, and the evicted tasks. */
export function costLines(series: readonly CostLine[], unassigned: number): CostLine[] {
  const shown = series.length > MOST ? series.slice(0, MOST - 1) : series
  const rest = series.slice(shown.length)
  return [
    ...shown,
    { name: `${rest.length} others`, usd: rest.reduce((sum, { usd }) => sum + usd, 0) },
    { name: 'evicted tasks', usd: unassigned },
  ].filter(({ usd }) => usd > 0)
}
