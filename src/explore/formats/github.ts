import { githubCommand } from '../../inspect/formats/github-command.js'
import type { ExplorationReport } from '../report.js'
import { causeOf, remarksOf, summaryOf } from './results.js'

const COMMANDS = { error: 'error', warning: 'warning', note: 'notice' } as const

/** Formats a report as annotations of GitHub Actions, one for each problem, and the summary. */
export function toGithub(report: ExplorationReport): string {
  const annotations = report.problems.map((problem) => {
    const { severity, result, what, why, remedy, repeat } = problem
    const lines = [causeOf(problem), what, why, remedy, `Repeat: ${repeat}`]
    return githubCommand(COMMANDS[severity], `tasksim explore: ${result}`, lines)
  })
  return [...annotations, ...remarksOf(report), summaryOf(report), ''].join('\n')
}
