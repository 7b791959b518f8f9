import type { Spread } from '../../engine/scenario/delay.js'

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

/** Bounds of a duration as a scenario file writes them. */
export interface DurationBounds {
  readonly min: string
  readonly max: string | undefined
}

/** Bounds in milliseconds as a scenario file writes them, with about three digits. */
export function durationBounds([low, high]: readonly [number, number]): DurationBounds {
  const digits = (value: number) => 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 2)
  const min = Math.floor(low / digits(low)) * digits(low)
  const max = Math.ceil(high / digits(high)) * digits(high)
  return { min: durationText(min), max: high === Infinity ? undefined : durationText(max) }
}
