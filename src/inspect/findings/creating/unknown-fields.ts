import { suggest } from '../../../engine/suggest.js'
import { judge, seenIn, short } from '../evidence.js'
import type { FindingRule } from '../finding.js'

const FIELDS = ['model', 'input', 'webhook_url']

/** A create request has fields that the service does not know. */
export const unknownFields: FindingRule = {
  id: 'unknown-fields',
  severity: 'warning',
  title: 'A create request has fields that nobody reads',
  why: 'The service takes them without a word, so a misspelt webhook_url is a webhook that never comes.',
  remedy: "Send `model`, `input` and `webhook_url`; the model's own parameters belong into `input`.",
  look: ({ requests }) =>
    judge(
      requests.filter(({ operation }) => operation === 'tasks.create'),
      (request) => {
        const { unknownFields: unknown = [] } = request.note
        if (unknown.length === 0) return undefined
        const named = unknown
          .map(short)
          .map((field) => `\`${field}\` (${suggest(field, FIELDS)})`)
          .join(', ')
        return seenIn([request], `It has ${named}`)
      },
    ),
}
