import { isoTime, writableInstant } from '../../engine/clock/instants.js'

/** A host of the service: the start of its URLs in the recording, and that of its paths in the dialect. */
export interface RecordedBase {
  readonly url: string
  readonly path: string
}

/** How recorded texts about a task differ from what its client gets now. */
export interface Rewriting extends Shift {
  /** Longer ones come first. */
  readonly bases: readonly RecordedBase[]
  /** The index of each output file, by its URL without query and fragment. */
  readonly files: ReadonlyMap<string, number>
  baseOf(path: string): string
  urlOf(file: number): string
}

const URL_FORM = /https?:\/\/[^\s"'<>\\]+/g

/** Rewrites a recorded text for the client: times, URLs of the service and URLs of output files. */
export function rewrite(text: string, rewriting: Rewriting): string {
  const { shift } = rewriting
  const moved = shift === 0 ? text : shiftNumbers(shiftTimes(text, rewriting), rewriting)
  return moved.replace(URL_FORM, (url) => rewriteUrl(url, rewriting))
}

function rewriteUrl(url: string, { bases, files, input, baseOf, urlOf }: Rewriting): string {
  const file = files.get(bareUrl(url))
  if (file !== undefined) return urlOf(file)
  const base = bases.find((each) => startsWith(url, each.url))
  if (base === undefined || input.includes(JSON.stringify(url))) return url
  return baseOf(base.path) + url.slice(base.url.length)
}

function startsWith(url: string, base: string): boolean {
  return url.startsWith(base) && /^(?:[/?#]|$)/.test(url.slice(base.length))
}

/** A URL without query and fragment. */
export function bareUrl(url: string): string {
  return url.replace(/[?#].*$/s, '')
}

/** How to shift the times in a recorded text about a task. */
interface Shift {
  /** Milliseconds. */
  readonly shift: number
  /** When the recorded task was created, in epoch milliseconds. */
  readonly zero: number
  /** The JSON of the input: what the client has sent stays as it is. */
  readonly input: string
}

const DAY = 86_400_000

/** The times of a task lie between these, after its creation: they include the expiry of its outputs. */
const [EARLIEST, LATEST] = [-DAY, 92 * DAY]
const INSTANT = /(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)(\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g

const LABELED_NUMBER =
  /("\w*(?:_at|At|_on|[tT]ime|[sS]tamp|created|updated|started|completed|finished|ended|expires|date)"\s*:\s*)(\d{13}|\d{10}(?:\.\d+)?)(?![\d.])/g

/** Shifts the instants in a text, such as `2026-11-22T10:00:00.000Z`. Each keeps its precision and its zone. */
function shiftTimes(text: string, { shift, zero, input }: Shift): string {
  return text.replace(INSTANT, (instant, day: string, separator: string, time: string, fraction = '') => {
    const local = Date.parse(`${day}T${time}${fraction.slice(0, 4)}Z`)
    if (!isOfTask(local, zero) || input.includes(instant)) return instant
    const moved = isoTime(local + shift)
    const end = instant.slice(day.length + 1 + time.length + fraction.length)
    return `${moved.slice(0, 10)}${separator}${moved.slice(11, 19)}${fractionOf(moved, fraction)}${end}`
  })
}

/** The fraction of a shifted second, with as many digits as before. Shifts are whole milliseconds. */
function fractionOf(moved: string, fraction: string): string {
  return fraction === '' ? '' : moved.slice(19, Math.min(23, 19 + fraction.length)) + fraction.slice(4)
}

/** Shifts the numbers whose names say that they are times: epoch seconds and epoch milliseconds. */
function shiftNumbers(text: string, { shift, zero, input }: Shift): string {
  return text.replace(LABELED_NUMBER, (whole, name: string, digits: string) => {
    const isSeconds = digits.length !== 13
    const unit = isSeconds ? 1_000 : 1
    if (!isOfTask(Number(digits) * unit, zero) || input.includes(digits)) return whole
    const [, fraction = ''] = digits.split('.')
    const moved = writableInstant(Number(digits) * unit + shift) / unit
    return name + (fraction === '' ? String(Math.floor(moved)) : moved.toFixed(fraction.length))
  })
}

function isOfTask(time: number, zero: number): boolean {
  return time >= zero + EARLIEST && time <= zero + LATEST
}
