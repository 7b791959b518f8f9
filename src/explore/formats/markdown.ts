import { counted } from '../../engine/counted.js'
import { escapedMarkdown, markdownCode } from '../../inspect/escaped-text.js'
import type { ExplorationReport, Problem, ReportedRun } from '../report.js'
import { matricesOf } from './matrix.js'
import { baselineOf, causeOf, markedRuns, remarksOf, summaryOf } from './results.js'

/** Formats a report as Markdown, such as the job summary of GitHub Actions. */
export function toMarkdown(report: ExplorationReport): string {
  const { problems, command, summary } = report
  const passed = summary.errors + summary.warnings === 0
  return [
    `### tasksim explore: ${passed ? 'no problem' : counted(problems.length, 'problem')}`,
    '',
    `${markdownCode(command.join(' '))}: ${escapedMarkdown(summaryOf(report))} ${escapedMarkdown(baselineOf(report))}`,
    '',
    ...problems.flatMap(problemLines),
    ...matrixLines(report),
    ...remarksOf(report).map((remark) => `- ${escapedMarkdown(remark)}`),
    '',
  ].join('\n')
}

const ICONS = { error: '❌', warning: '⚠️', note: 'ℹ️' } as const

function problemLines(problem: Problem): string[] {
  const { severity, result, what, why, remedy, repeat } = problem
  return [
    `#### ${ICONS[severity]} ${result} · ${escapedMarkdown(causeOf(problem))}`,
    '',
    escapedMarkdown(what),
    '',
    `**Why it matters:** ${escapedMarkdown(why)}`,
    '',
    `**Remedy:** ${escapedMarkdown(remedy)}`,
    '',
    `**Repeat:** ${markdownCode(repeat)}`,
    '',
  ]
}

/** A folded table: the words of the deviations at each place, by what the client made of them. */
function matrixLines(report: ExplorationReport): string[] {
  const rows = matricesOf(markedRuns(report)).flatMap((matrix) => matrix.rows)
  if (rows.length === 0) return []
  return [
    '<details><summary>All places</summary>',
    '',
    '| place | recovered | reported | accepted | problems |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(({ place, runs }) => {
      const all = [...runs.values()]
      const ok = all.filter((run) => run.mark === 'ok')
      const cells = [
        wordsOf(ok.filter(({ result }) => result === 'recovered')),
        wordsOf(ok.filter(({ result }) => result !== 'recovered')),
        wordsOf(all.filter((run) => run.mark === 'excused')),
        all
          .filter((run) => run.mark === 'error' || run.mark === 'warning')
          .map(({ deviation, result }) => `${markdownCode(deviation)} ${escapedMarkdown(result)}`)
          .join(', '),
      ]
      return `| ${markdownCode(place)} | ${cells.join(' | ')} |`
    }),
    '',
    '</details>',
    '',
  ]
}

function wordsOf(runs: readonly ReportedRun[]): string {
  return runs.map(({ deviation }) => markdownCode(deviation)).join(', ')
}
