import type { TaskShape } from '../../control/shapes.js'
import { isoTime } from '../../engine/clock/instants.js'

/** A short duration: 250 ms, 3.2 s, 4 min 5 s, 2 h 3 min, 30 d. */
export function duration(milliseconds: number): string {
  const ms = Math.abs(milliseconds)
  const sign = milliseconds < 0 ? '−' : ''
  if (ms < 1_000) return `${sign}${Math.round(ms)} ms`
  if (ms < 59_950) return `${sign}${trimmed(ms / 1_000)} s`
  if (ms < 3_600_000) return sign + pair(ms, 60_000, 'min', 1_000, 's')
  if (ms < 86_400_000) return sign + pair(ms, 3_600_000, 'h', 60_000, 'min')
  return sign + pair(ms, 86_400_000, 'd', 3_600_000, 'h')
}

function pair(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const total = Math.round(ms / small)
  const perLarge = large / small
  const rest = total % perLarge
  const whole = `${Math.floor(total / perLarge)} ${largeUnit}`
  return rest === 0 ? whole : `${whole} ${rest} ${smallUnit}`
}

function trimmed(value: number): string {
  return value < 10 ? String(Math.round(value * 10) / 10) : String(Math.round(value))
}

/** The zones in which the page can show times: UTC, or that of the browser. */
export type Zone = 'UTC' | 'local'

let zone: Zone = 'UTC'

/** Chooses the zone of all times from now on. */
export function setZone(chosen: Zone): void {
  zone = chosen
}

/** The zone of all times, as a word behind one. */
export function zoneName(): string {
  return zone === 'UTC' ? 'UTC' : 'local time'
}

/** An instant as epoch milliseconds whose UTC fields are those of the zone. */
export function inZone(at: number): number {
  return zone === 'UTC' ? at : at - new Date(at).getTimezoneOffset() * 60_000
}

/** The inverse of {@link inZone}. */
export function fromZone(shown: number): number {
  if (zone === 'UTC') return shown
  const near = shown + new Date(shown).getTimezoneOffset() * 60_000
  return shown + new Date(near).getTimezoneOffset() * 60_000
}

/** A time in ISO 8601 as epoch milliseconds, if there is one. */
export function instant(at: string | undefined): number | undefined {
  return at === undefined ? undefined : Date.parse(at)
}

/** The time of day: 12:00:07, or 12:00:07.123 with milliseconds. */
export function clockTime(at: number, withMilliseconds = false): string {
  const iso = isoTime(inZone(at))
  return withMilliseconds ? iso.slice(11, 23) : iso.slice(11, 19)
}

/** The date: 2026-01-01. */
export function day(at: number): string {
  return isoTime(inZone(at)).slice(0, 10)
}

/** The time of day, after the date if it is not `today`, such as `2026-01-01`. */
export function dayTime(at: number, today: string, withMilliseconds = false): string {
  const time = clockTime(at, withMilliseconds)
  return day(at) === today ? time : `${day(at)} ${time}`
}

/** US dollars with two decimals; small amounts with up to six. */
export function dollars(amount: number): string {
  if (amount === 0) return '$0'
  if (amount >= 1) return `$${amount.toFixed(2)}`
  return `$${amount.toFixed(6).replace(/0{1,4}$/, '')}`
}

/** A number with thin spaces between groups of digits: 12 345. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, '\u202f')
}

/** A number where there is little space: from 10,000 on in thousands, such as 12k. */
export function shortCount(value: number): string {
  return value < 10_000 ? String(value) : `${Math.floor(value / 1_000)}k`
}

/** A percentage: 12.5 %. */
export function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${trimmed((100 * part) / whole)} %`
}

/** A text with a capital letter at its start. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** The sum of counts by name. */
export function totalOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, each) => sum + each, 0)
}

/** A share, 0 to 1, as a length in CSS. */
export function cssPercent(share: number): string {
  return `${Math.round(share * 1e4) / 100}%`
}

/** A short size: 512 B, 3.2 kB, 1.4 MB. */
export function bytes(amount: number): string {
  if (amount < 1_000) return `${amount} B`
  if (amount < 999_500) return `${trimmed(amount / 1_000)} kB`
  return `${trimmed(amount / 1_000_000)} MB`
}

/** The label of a state of a task or a delivery. */
export function stateLabel(state: string): string {
  return state === 'given_up' ? 'failed' : state
}

type Input = TaskShape['input']

/** The text of an input: its prompt, or its last message. */
export function promptIn(input: Input = {}): string {
  const { prompt, messages } = input
  if (typeof prompt === 'string') return prompt
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined
  const { content }: { content?: unknown } = Object(last)
  return typeof content === 'string' ? content : ''
}

/** The words of a task's input that name it. */
export function titleOf(input: Input): string {
  const prompt = promptIn(input)
  return prompt.length > LONGEST_TITLE ? `${prompt.slice(0, LONGEST_TITLE)}…` : prompt || 'No prompt'
}

/** A longer title would hide the page, and take long to lay out. */
const LONGEST_TITLE = 400
