import type { Evidence, Finding, Severity } from '../../core/findings/finding.js'
import type { Verdict } from '../../core/findings/verdict.js'
import { colors } from '../output.js'
import type { ReportContext } from './report-context.js'

const PAINT: Readonly<Record<Severity, (text: string) => string>> = {
  error: colors.red,
  warning: colors.yellow,
  note: colors.cyan,
}

/** How much evidence of one finding a person wants to read. */
const MOST_SHOWN = 3

/** A verdict for people: each finding with what was seen, why it matters and how to mend it, and a summary. */
export function tableReport(verdict: Verdict, { scenario }: ReportContext): string {
  const paragraphs = verdict.findings.map(paragraph)
  return `${[...paragraphs, summary(verdict, scenario)].join('\n\n')}\n`
}

function paragraph({ id, severity, title, why, remedy, count, evidence }: Finding): string {
  const shown = evidence.slice(0, MOST_SHOWN).map(seenLine)
  const rest = count - shown.length
  return [
    `${PAINT[severity](severity.padEnd(7))}  ${colors.bold(title)}  ${colors.dim(id)}`,
    ...shown,
    ...(rest > 0 ? [colors.dim(`           and ${rest} more`)] : []),
    `  why      ${why}`,
    `  remedy   ${remedy}`,
  ].join('\n')
}

function seenLine({ seen, at, taskId, requestIds = [], deliveryIds = [] }: Evidence): string {
  const time = new Date(at).toISOString().slice(11, 23)
  const [first, ...more] = [...requestIds, ...deliveryIds]
  const where = [
    taskId,
    first === undefined || more.length === 0 ? first : `${first} and ${more.length} more`,
  ]
  const names = where.filter((name) => name !== undefined).join(', ')
  // What a client has sent must not reach the terminal as it is.
  return `  seen     ${seen.replace(/\p{Cc}/gu, ' ')} ${colors.dim(`(${[time, names].filter(Boolean).join('  ')})`)}`
}

function summary({ findings, checked }: Verdict, scenario: string): string {
  const count = (state: string) => checked.filter((rule) => rule.state === state).length
  const told = checked.filter(({ needs }) => needs !== undefined).map(({ needs }) => needs)
  const counts = [
    findings.length === 0
      ? colors.green('no findings')
      : `${findings.length} of ${checked.length} rules broken`,
    `${count('ok')} kept`,
    `${count('not_observed')} not observed`,
    ...(count('ignored') > 0 ? [`${count('ignored')} ignored`] : []),
  ]
  const hint =
    told.length === 0
      ? ''
      : colors.dim(`\nnot seen from outside: sim.observe('${told.join("'), sim.observe('")}')`)
  return `${scenario}: ${counts.join(', ')}${hint}`
}
