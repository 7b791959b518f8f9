import { kruskalWallis } from '../statistics/kruskal-wallis.js'
import { chiSquareTail } from '../statistics/tails.js'

/** What depends on the hour of the day (UTC). */
export interface DailyPattern {
  readonly of: 'delay' | 'failures'
  /** The probability of such differences by chance. */
  readonly p: number
  /** The hours with the smallest and the largest value, and these values: milliseconds, or a share. */
  readonly low: { readonly hour: number; readonly value: number }
  readonly high: { readonly hour: number; readonly value: number }
}

/** One task: when it was created (epoch milliseconds), how long it took (milliseconds), and whether it failed. */
export interface Ended {
  readonly created: Float64Array
  readonly spans: Float64Array
  readonly failed: Uint8Array
}

const HOURS = 24
const HOUR = 3_600_000
const DAY = HOURS * HOUR
const SIGNIFICANCE = 0.001
/** A shorter history has too few examples of each hour of the day. */
const MIN_DAYS = 3
const MIN_IN_HOUR = 20

/** Finds out whether delays or failures depend on the hour of the day. */
export function dailyPatterns({ created, spans, failed }: Ended): DailyPattern[] {
  const days = new Set(created.map((time) => Math.floor(time / DAY)))
  if (days.size < MIN_DAYS) return []
  const hours = Array.from({ length: HOURS }, (_, hour) => ({ hour, spans: [] as number[], failed: 0 }))
  for (const [index, time] of created.entries()) {
    const hour = hours[Math.floor(time / HOUR) % HOURS]
    hour?.spans.push(spans[index] ?? 0)
    if (hour !== undefined) hour.failed += failed[index] ?? 0
  }
  const filled = hours.filter((hour) => hour.spans.length >= MIN_IN_HOUR)
  if (filled.length < 2) return []
  const delays = filled.map((hour) => ({ hour: hour.hour, value: medianOf(hour.spans) }))
  const rates = filled.map((hour) => ({ hour: hour.hour, value: hour.failed / hour.spans.length }))
  const all = [
    pattern('delay', kruskalWallis(filled.map((hour) => hour.spans)), delays),
    pattern('failures', shareTest(filled.map((hour) => [hour.failed, hour.spans.length])), rates),
  ]
  return all.filter(({ p }) => p < SIGNIFICANCE)
}

function pattern(of: DailyPattern['of'], p: number, values: readonly DailyPattern['low'][]): DailyPattern {
  const sorted = values.toSorted((one, other) => one.value - other.value)
  const nothing = { hour: 0, value: 0 }
  return { of, p, low: sorted[0] ?? nothing, high: sorted.at(-1) ?? nothing }
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** The chi-square test of equal shares. */
function shareTest(groups: readonly (readonly [count: number, whole: number])[]): number {
  const whole = groups.reduce((sum, [, size]) => sum + size, 0)
  const share = groups.reduce((sum, [count]) => sum + count, 0) / whole
  if (share === 0 || share === 1) return 1
  const square = groups.reduce(
    (sum, [count, size]) => sum + (count - share * size) ** 2 / (share * (1 - share) * size),
    0,
  )
  return chiSquareTail(square, groups.length - 1)
}
