/** The result of one check. `not_observed`: the run had no occasion for the check, or its effect is not visible. */
export type Mark = 'ok' | 'note' | 'not_observed' | 'warning' | 'error'

/** One check and its result. */
export interface ReportLine {
  /** The name of the check, such as `wrong-signature`. */
  readonly id: string
  readonly mark: Mark
  readonly title: string
  /** The observations, one sentence each. */
  readonly seen: readonly string[]
  /** Why the result matters in production. */
  readonly why: string
  readonly remedy: string
  /** What would make the check possible, if it was not. */
  readonly provoke?: string | undefined
  /** What would make the check possible, in a few words: the text format lists such lines together. */
  readonly occasion?: string | undefined
  /** Whether the text format lists only the id. */
  readonly isBrief?: boolean
  /** Whether the line fails the run. */
  readonly fails?: boolean
  /** Further fields of the JSON format. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** The report of one run. */
export interface Report {
  /** The command, such as `tasksim probe`. */
  readonly name: string
  /** A summary of the run in one line. */
  readonly subject: string
  /** A sentence about all lines. */
  readonly note?: string | undefined
  readonly lines: readonly ReportLine[]
  /** Whether the run had nothing to check. The text format then shows only the number of rules that were not observed. */
  readonly isUnused?: boolean
  /** The reasons why the run fails, one sentence each; empty if it passes. */
  readonly failures: readonly string[]
}

/** The rules that were not observed for one reason. */
export interface Unobserved {
  readonly ids: readonly string[]
  /** Why they were not observed, if the reason is known, and what would make the checks possible. */
  readonly advice: string
}

/**
 * Groups the brief lines of rules that were not observed by what would make the checks possible.
 * @param isShort whether the occasion replaces the advice, if a line has one
 */
export function unobservedIn(lines: readonly ReportLine[], isShort = false): Unobserved[] {
  const groups = new Map<string, string[]>()
  for (const { mark, id, isBrief, why, remedy, provoke = '', occasion } of lines) {
    if (mark !== 'not_observed' || isBrief !== true) continue
    const full = [why, remedy, provoke].filter((text) => text !== '').join(' ')
    const advice = isShort ? (occasion ?? full) : full
    groups.set(advice, [...(groups.get(advice) ?? []), id])
  }
  return [...groups].map(([advice, ids]) => ({ advice, ids }))
}

/** The minimum severities that fail a run. */
export const FAIL_ON = ['error', 'warning', 'never'] as const
export type FailOn = (typeof FAIL_ON)[number]

function isFailure(mark: Mark, failOn: FailOn): boolean {
  return failOn !== 'never' && (mark === 'error' || (mark === 'warning' && failOn === 'warning'))
}

/** Sets `fails` on the lines that fail the run. */
export function withFailures(lines: readonly ReportLine[], failOn: FailOn): ReportLine[] {
  return lines.map((line) => ({ ...line, fails: isFailure(line.mark, failOn) }))
}

/** The number of lines that the reason of a failure names. */
const MAX_NAMED = 5

/** Names the lines that fail the run, in at most one sentence. A number would differ from those of all lines. */
export function failuresOf(lines: readonly ReportLine[], failOn: FailOn): string[] {
  const failing = lines.filter(({ mark }) => isFailure(mark, failOn)).map(({ id }) => id)
  if (failing.length === 0) return []
  const left = failing.length - MAX_NAMED
  const named = left > 0 ? [...failing.slice(0, MAX_NAMED), `and ${left} more`] : failing
  return [`${named.join(', ')} (--fail-on ${failOn}).`]
}

/** The number of lines of each mark, such as `3 ok, 1 warning`. */
export function countOf(lines: readonly ReportLine[]): string {
  const counts = new Map<Mark, number>()
  for (const { mark } of lines) counts.set(mark, (counts.get(mark) ?? 0) + 1)
  const order: readonly Mark[] = ['ok', 'note', 'not_observed', 'warning', 'error']
  const parts = order.flatMap((mark) => {
    const count = counts.get(mark) ?? 0
    return count === 0 ? [] : [`${count} ${wordFor(mark, count)}`]
  })
  return parts.length === 0 ? 'no checks' : parts.join(', ')
}

function wordFor(mark: Mark, count: number): string {
  if (mark === 'ok') return 'ok'
  if (mark === 'not_observed') return 'not observed'
  return count === 1 ? mark : `${mark}s`
}
