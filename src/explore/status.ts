import { SEVERITIES, type Severity } from '../inspect/findings/finding.js'
import type { ExplorationReport } from './report.js'

/**
 * The exit status of an exploration: 1 if a problem is at least as bad as `failOn`, 0 otherwise. An accepted problem or
 * a result that the scenario expects does not count.
 * @param failOn `none` never fails
 */
export function statusOf(
  { problems }: Pick<ExplorationReport, 'problems'>,
  failOn: Severity | 'none' = 'warning',
): 0 | 1 {
  if (failOn === 'none') return 0
  const limit = SEVERITIES.indexOf(failOn)
  return problems.some(({ severity }) => SEVERITIES.indexOf(severity) <= limit) ? 1 : 0
}
