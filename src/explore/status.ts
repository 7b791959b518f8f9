import type { ExplorationReport } from './report.js'

/**
 * The exit status of an exploration: 1 if a problem is at least as severe as `failOn`, 0 otherwise. Accepted problems and
 * results that the scenario expects do not count.
 */
export function statusOf(
  { summary }: Pick<ExplorationReport, 'summary'>,
  failOn: 'error' | 'warning' | 'never' = 'warning',
): 0 | 1 {
  if (failOn === 'never') return 0
  return summary.errors > 0 || (failOn === 'warning' && summary.warnings > 0) ? 1 : 0
}
