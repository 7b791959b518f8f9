import type { AnsweredRequest } from '../../../engine/requests/answered-request.js'
import { hasEnded, insteadOf } from '../../../engine/requests/ended-api.js'
import { suggest } from '../../../engine/suggest.js'
import { collectEvidence, formatTimes, requestEvidence, requestLine, shorten } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import { groupRequests } from '../request-groups.js'

/** Detects fields of a create request that the service does not know. */
export const unknownFields: FindingRule = {
  id: 'unknown-fields',
  severity: 'warning',
  title: 'A create request has fields that the service ignores',
  why: 'The service does not report unknown fields. With a misspelt webhook URL, no webhook ever arrives.',
  remedy:
    'Send only the fields that the service documents, and the parameters of the model where the service expects them, such as in `input`.',
  occasion: 'requests',
  provoke: 'Create a task in a dialect that documents all its fields, such as `tasks`.',
  check: ({ requests }) =>
    collectEvidence(
      requests.filter(({ note }) => note.unknownFields !== undefined),
      (request) => {
        const { unknownFields: unknown = [], knownFields: known = [] } = request.note
        if (unknown.length === 0) return undefined
        const fields = unknown.map(shorten).map((field) => `\`${field}\` (${suggest(field, known)})`)
        return requestEvidence([request], `The request has ${fields.join(', ')}`)
      },
    ),
}

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
