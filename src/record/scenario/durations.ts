import type { Spread } from '../../scenario/model/delay.js'

/** Milliseconds as a scenario file writes them: `7.25s`, or `250ms` below a second. */
export function durationText(milliseconds: number): string {
  return milliseconds > 0 && milliseconds < 1_000 ? `${milliseconds}ms` : `${milliseconds / 1_000}s`
}

/** A delay as a scenario file writes it. */
export type SpreadText = string | Readonly<Record<string, string | Readonly<Record<string, string>>>>

/** A delay as a scenario file writes it. */
export function spreadText(spread: Spread): SpreadText {
  if (typeof spread === 'number') return durationText(spread)
  if ('percentiles' in spread) return { percentiles: durationTexts(Object.entries(spread.percentiles)) }
  return durationTexts(Object.entries(spread))
}

function durationTexts(entries: readonly (readonly [string, number])[]): Record<string, string> {
  return Object.fromEntries(entries.map(([name, value]) => [name, durationText(value)]))
}
