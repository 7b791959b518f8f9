import type { Spread } from '../../engine/scenario/delay.js'
import type { Price } from '../../engine/tasks/pricing.js'
import type { Interval } from '../../inspect/statistics.js'
import type { LearnedDelay, MeasuredPercentile } from '../learn/delay.js'
import type { TaskCounts } from '../learn/histories.js'
import type { LearnedFailures } from '../learn/learn.js'
import type { LearnedLimit } from '../learn/limits.js'
import type { LearnedPrice } from '../learn/price/learn-price.js'
import { counted, countText } from '../numbers.js'

const SUMMARY = ['p50', 'p90', 'p99']

/** A share in percent with its 95 % interval: `4.8 % (4.2 to 5.4)`. */
export function shareText(share: number, interval: Interval): string {
  return `${percents(share)} % ${rangeText(interval, percents)}`
}

/** A share in percent: `4.8 %`. */
export function percentText(share: number): string {
  return `${percents(share)} %`
}

/** A delay in a few words: `p50 75s, p90 160s, p99 230s`. */
export function spreadSummary(spread: Spread): string {
  if (typeof spread === 'number') return durationText(spread)
  const points = Object.entries('percentiles' in spread ? spread.percentiles : spread)
  const shown = 'percentiles' in spread ? points.filter(([name]) => SUMMARY.includes(name)) : points
  return shown.map(([name, delay]) => `${name} ${timeText(delay)}`).join(', ')
}

/** How many tasks there are: `5,000 tasks: 4,750 succeeded, 250 failed`. */
export function countsText({ all, unknown, ...outcomes }: TaskCounts): string {
  const words = Object.entries(unknown).map(([word, count]) => [JSON.stringify(word), count] as const)
  const parts = [...Object.entries(outcomes), ...words].flatMap(([name, count]) =>
    count === 0 ? [] : [`${countText(count)} ${name}`],
  )
  return `${counted(all, 'task')}: ${parts.join(', ')}`
}

/** The figures of a delay: `4,990 tasks: p50 75s (73s to 77s), p90 ...`. */
export function delayText({ samples, p50, p90, p99 }: LearnedDelay): string {
  return `${counted(samples, 'task')}: p50 ${measured(p50)}, p90 ${measured(p90)}, p99 ${measured(p99)}`
}

/** The figures of failures: `240 of 4,990 failed: 4.8 % (4.2 to 5.4)`. */
export function failuresText({ failed, samples, rate, interval, unlisted }: LearnedFailures): string {
  const rest = unlisted === 0 ? '' : `; ${countText(unlisted)} with errors that are not listed`
  return `${countText(failed)} of ${countText(samples)} failed: ${shareText(rate, interval)}${rest}`
}

/** How much a price explains: `explains all of 2,000 costs`. */
export function priceText({ samples, explained, isMedian, rules }: LearnedPrice): string {
  const fields = fieldsOf(rules)
  const source = isMedian ? 'the median, because no rule was found; it ' : ''
  const names = fields.map((field) => `\`${field}\``).join(' and ')
  const also = fields.length === 0 ? '' : `with the rules for ${names} below, `
  const share = explained === 1 ? 'all' : percentText(explained)
  return `${source}${also}explains ${share} of ${counted(samples, 'cost')}`
}

/** The evidence for a limit: `170 of 600 tasks waited`. */
export function limitText({ waited, samples }: LearnedLimit): string {
  return `${countText(waited)} of ${countText(samples)} tasks waited`
}

/** A limit in a few words: `all models: 10 running`. */
export function limitSummary({ scope, name, running }: LearnedLimit): string {
  const who = { all: 'all models', kinds: `all ${name} models`, models: name }[scope]
  return `${who}: at most ${countText(running)} running`
}

/** The parts of a price: `$0.05 per task + $0.1 per second`. */
export function partsText(price: Price): string {
  const parts = Object.entries(price).map(([name, dollars]) => `$${dollars} ${name.replaceAll('_', ' ')}`)
  return parts.join(' + ')
}

/** A price in a few words: `$0.04 per image`. */
export function priceSummary({ price, rules, isMedian }: LearnedPrice): string {
  const by = fieldsOf(rules).join(' and ')
  return `${isMedian ? 'median ' : ''}${partsText(price)}${by === '' ? '' : `, by ${by}`}`
}

function fieldsOf(rules: LearnedPrice['rules']): string[] {
  return [...new Set(rules.flatMap(({ input }) => Object.keys(input)))]
}

function measured({ value, interval }: MeasuredPercentile): string {
  return `${timeText(value)} ${rangeText(interval, timeText)}`
}

/** A range in parentheses: `(73s to 77s)`. */
export function rangeText([low, high]: Interval, format: (value: number) => string): string {
  return `(${format(low)} to ${format(high)})`
}

function percents(share: number): string {
  return String(Number((100 * share).toPrecision(3)))
}

/** A time with three digits. */
export function timeText(milliseconds: number): string {
  return durationText(Math.round(Number(milliseconds.toPrecision(3))))
}

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

/** Bounds in milliseconds as a scenario file writes them, with about three digits. */
export function durationBounds([low, high]: readonly [number, number]): object {
  const digits = (value: number) => 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 2)
  const min = Math.floor(low / digits(low)) * digits(low)
  const max = Math.ceil(high / digits(high)) * digits(high)
  return { min: durationText(min), max: high === Infinity ? undefined : durationText(max) }
}
