import { judge } from '../evidence.js'
import type { FindingRule } from '../finding.js'

/** The URL of an output is kept in place of the file. */
export const keepsOutputUrl: FindingRule = {
  id: 'keeps-output-url',
  severity: 'error',
  title: 'The URL of an output is kept in place of the file',
  why: 'The URL expires after a day. In the database it looks well until somebody opens it.',
  remedy: 'Download the file, keep it in a place of your own, and store that address.',
  needs: 'output.kept',
  look: ({ observations }) =>
    judge(
      observations.filter(({ what }) => what === 'output.kept'),
      ({ as, at, taskId }) =>
        as === 'url' ? { at, taskId, seen: 'The test says that its URL was kept.' } : undefined,
    ),
}
