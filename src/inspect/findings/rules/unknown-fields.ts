import { suggest } from '../../../engine/suggest.js'
import { collectEvidence, requestEvidence, shorten } from '../evidence.js'
import type { FindingRule } from '../finding.js'

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
