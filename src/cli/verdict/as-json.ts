import type { Judgement } from './judged.js'

/** A judgement for a program. */
export function asJson({ name, subject, judged, failures }: Judgement): string {
  const results = judged.map(({ mark, details, isBrief: _, fails: __, ...rest }) => ({
    verdict: mark,
    ...rest,
    ...details,
  }))
  return `${JSON.stringify({ name, subject, passed: failures.length === 0, failures, results }, null, 2)}\n`
}
