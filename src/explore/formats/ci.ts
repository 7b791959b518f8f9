import { escapedXml, githubCommand } from '../../inspect/escaped-text.js'
import type { Severity } from '../../inspect/findings/finding.js'
import type { ExplorationReport } from '../report.js'
import { causeOf, type MarkedRun, markedRuns, remarksOf, summaryOf } from './results.js'

/**
 * Formats a report as JUnit XML, with a test case for each run. A test case contains the timeline of its run if the
 * run is not ok.
 * @param failOn the minimum severity with which a test case fails
 */
export function toJunit(
  report: ExplorationReport,
  failOn: Exclude<Severity, 'note'> | 'never' = 'warning',
): string {
  const runs = markedRuns(report)
  const failures = runs.filter((run) => fails(run, failOn)).length
  const seconds = runs.reduce((sum, { ms }) => sum + ms, 0) / 1_000
  const counts = `tests="${runs.length}" failures="${failures}" errors="0" skipped="0" time="${seconds.toFixed(3)}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escapedXml(`tasksim explore ${report.command.join(' ')}`)}" ${counts}>`,
    ...runs.map((run) => testCase(run, report, failOn)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function fails(run: MarkedRun, failOn: Severity | 'never'): boolean {
  const { mark } = run
  return failOn !== 'never' && (mark === 'error' || (mark === 'warning' && failOn === 'warning'))
}

function testCase(run: MarkedRun, { problems }: ExplorationReport, failOn: Severity | 'never'): string {
  const { id, operation, result, what, ms, because, mark } = run
  const head = `    <testcase classname="${escapedXml(`explore.${operation}`)}" name="${escapedXml(id)}" time="${(ms / 1_000).toFixed(3)}"`
  if (mark === 'excused')
    return `${head}><system-out>${escapedXml(`${result}, accepted${because === undefined ? '' : `: ${because}`}`)}</system-out></testcase>`
  if (mark === 'ok') return `${head}/>`
  const problem = problems.find(({ runs }) => runs.includes(id))
  const advice = problem === undefined ? [] : [problem.why, problem.remedy, problem.repeat]
  const timeline = run.timeline.map(({ at, text }) => `${(at / 1_000).toFixed(3)} s  ${text}`)
  const text = escapedXml(
    [what, ...advice, '', ...timeline, ...run.printed.map((line) => `> ${line}`)].join('\n'),
  )
  if (!fails(run, failOn)) return `${head}><system-out>${result}: ${text}</system-out></testcase>`
  return `${head}><failure type="${result}" message="${escapedXml(what)}">${text}</failure></testcase>`
}

/** Formats a report as annotations of GitHub Actions, one for each problem, and the summary. */
export function toGithub(report: ExplorationReport): string {
  const annotations = report.problems.map((problem) => {
    const { severity, result, what, why, remedy, repeat } = problem
    const lines = [causeOf(problem), what, why, remedy, `Repeat: ${repeat}`]
    return githubCommand(severity, `tasksim explore: ${result}`, lines)
  })
  return [...annotations, ...remarksOf(report), summaryOf(report), ''].join('\n')
}
