import type { AnsweredRequest } from '../../../engine/requests/answered-request.js'
import { hasEnded, insteadOf } from '../../../engine/requests/ended-api.js'
import { collectEvidence, formatTimes, requestEvidence, requestLine } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import { groupRequests } from '../request-groups.js'

/** Detects requests to an API that the service has ended. */
export const usesEndedApi: FindingRule = {
  id: 'uses-ended-api',
  severity: 'note',
  title: 'A request is for an API that has ended',
  why: 'The service itself rejects such requests. tasksim still answers them, because others may serve the same format.',
  remedy:
    'Use the replacement that the evidence names, or a server that still has the format. `ended: as-today` in a scenario shows what the service answers.',
  occasion: 'requests',
  provoke:
    'Let the client send requests in a dialect that lists an ended API, such as `openai`, which had videos.',
  check: ({ requests, dateOf, hasEndedApis }) =>
    collectEvidence(
      groupRequests(
        requests.filter(({ dialect = '' }) => hasEndedApis(dialect)),
        ({ dialect, note: { ended } }) => JSON.stringify([dialect, ended]),
      ),
      (group) => {
        const [first] = group
        const used = group.filter((request) => isOfEnded(request, dateOf(request)))
        const { ended } = first.note
        const [earliest, ...others] = used
        if (earliest === undefined || ended === undefined) return undefined
        const sent = `The client called it ${formatTimes(used.length)}, first with ${requestLine(earliest)}.`
        return requestEvidence(
          [earliest, ...others],
          `The API has ended on ${ended.on}. ${sent} ${insteadOf(ended)}`,
        )
      },
    ),
}

function isOfEnded({ note: { ended } }: AnsweredRequest, at: number): boolean {
  return ended !== undefined && hasEnded(ended, at)
}
