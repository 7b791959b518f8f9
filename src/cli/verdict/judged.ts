/** How something was judged; what cannot be seen from outside is never called right. */
export type Mark = 'ok' | 'note' | 'not_observed' | 'warning' | 'error'

/** One thing that was looked at, and what became of it. */
export interface Judged {
  /** Names what was looked at, such as `wrong-signature`. */
  readonly id: string
  readonly mark: Mark
  readonly title: string
  /** One sentence each on what was seen. */
  readonly seen: readonly string[]
  /** Why it matters in production. */
  readonly why: string
  readonly remedy: string
  /** Whether its name says enough in a text, because there is nothing else to tell. */
  readonly isBrief?: boolean
  /** Whether it fails the run. */
  readonly fails?: boolean
  /** What a program may want to know beside it; in the JSON only. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** All that was looked at in one run. */
export interface Judgement {
  /** What judged, such as `tasksim probe`. */
  readonly name: string
  /** What was judged, in a line. */
  readonly subject: string
  readonly judged: readonly Judged[]
  /** Whether there was nothing to judge: a text then shows only the number of rules not observed. */
  readonly isUnused?: boolean
  /** Why the run fails, one sentence each; none where it does not. */
  readonly failures: readonly string[]
}

/** From which mark on a run fails. */
export const FAIL_ON = ['error', 'warning', 'never'] as const
export type FailOn = (typeof FAIL_ON)[number]

/** Whether a mark fails the run. */
function isFailure(mark: Mark, failOn: FailOn): boolean {
  return failOn !== 'never' && (mark === 'error' || (mark === 'warning' && failOn === 'warning'))
}

/** The same, with `fails` set on those that fail the run. */
export function withFailures(judged: readonly Judged[], failOn: FailOn): Judged[] {
  return judged.map((one) => ({ ...one, fails: isFailure(one.mark, failOn) }))
}

/** Why the marks fail the run, if they do. */
export function failuresOf(judged: readonly Judged[], failOn: FailOn): string[] {
  const bad = judged.filter(({ mark }) => isFailure(mark, failOn))
  if (bad.length === 0) return []
  return [`${countOf(bad)} (--fail-on ${failOn}).`]
}

/** How many there are of each mark, such as `3 ok, 1 warning`. */
export function countOf(judged: readonly Judged[]): string {
  const counts = new Map<Mark, number>()
  for (const { mark } of judged) counts.set(mark, (counts.get(mark) ?? 0) + 1)
  const order: readonly Mark[] = ['ok', 'note', 'not_observed', 'warning', 'error']
  const parts = order.flatMap((mark) => {
    const count = counts.get(mark) ?? 0
    return count === 0 ? [] : [`${count} ${wordFor(mark, count)}`]
  })
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}

function wordFor(mark: Mark, count: number): string {
  if (mark === 'ok') return 'ok'
  if (mark === 'not_observed') return 'not observed'
  return count === 1 ? mark : `${mark}s`
}
