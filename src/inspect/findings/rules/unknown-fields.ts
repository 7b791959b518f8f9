import { suggest } from '../../../engine/suggest.js'
import { collectEvidence, requestEvidence, shorten } from '../evidence.js'
import type { FindingRule } from '../finding.js'

const FIELDS = ['model', 'input', 'webhook_url']

/** Detects fields of a create request that the service does not know. */
export const unknownFields: FindingRule = {
  id: 'unknown-fields',
  severity: 'warning',
  title: 'A create request has fields that the service ignores',
  why: 'The service does not report unknown fields. With a misspelt `webhook_url`, no webhook ever arrives.',
  remedy: 'Send only `model`, `input` and `webhook_url`; put the parameters of the model into `input`.',
  check: ({ requests }) =>
    collectEvidence(
      requests.filter(({ operation }) => operation === 'tasks.create'),
      (request) => {
        const { unknownFields: unknown = [] } = request.note
        if (unknown.length === 0) return undefined
        const fields = unknown.map(shorten).map((field) => `\`${field}\` (${suggest(field, FIELDS)})`)
        return requestEvidence([request], `The request has ${fields.join(', ')}`)
      },
    ),
}
