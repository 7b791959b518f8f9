import { judge, line, seenIn } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import { downloadsIn } from './downloads.js'

/** The API key goes to the file host, which needs none. */
export const keySentToFileHost: FindingRule = {
  id: 'key-sent-to-file-host',
  severity: 'error',
  title: 'The API key is sent to the file host',
  why: 'Output URLs are signed and often lie with another company. Whoever runs or logs that host can read the key.',
  remedy: 'Download outputs with a plain GET, without the Authorization header of the API.',
  look: (record) =>
    judge(downloadsIn(record), (request) =>
      request.note.hasAuthorization === true
        ? seenIn([request], `${line(request)} carried an Authorization header.`)
        : undefined,
    ),
}
