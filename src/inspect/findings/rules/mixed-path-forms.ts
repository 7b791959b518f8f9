import type { AnsweredRequest } from '../../../engine/requests/answered-request.js'
import { collectEvidence, formatTimes, requestEvidence } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import { groupRequests } from '../request-groups.js'

/** Detects a client that uses several forms of the path, each of which is valid. */
export const mixedPathForms: FindingRule = {
  id: 'mixed-path-forms',
  severity: 'note',
  title: 'One client uses several forms of the path',
  why: 'The service accepts several forms of its paths. A client that mixes them has several base URLs in its code.',
  remedy: 'Use one form everywhere.',
  occasion: 'requests',
  provoke: 'Let the client send requests in the dialect `tasks`, whose paths have several forms.',
  check: ({ requests }) =>
    // The masked API key identifies the client.
    collectEvidence(
      groupRequests(requests, (request) =>
        pathForm(request) === undefined ? undefined : request.key,
      ).filter(({ length }) => length > 1),
      (group) => {
        const forms = groupRequests(group, pathForm)
        const [first, ...others] = forms.map(([request]) => request)
        if (first === undefined || others.length === 0) return undefined
        const counts = forms.map((form) => `${pathForm(form[0])} ${formatTimes(form.length)}`)
        return requestEvidence([first, ...others], `The client used ${counts.join(', ')}.`)
      },
    ),
}

function pathForm({ key, note }: AnsweredRequest): string | undefined {
  return key === '' ? undefined : note.pathForm
}
