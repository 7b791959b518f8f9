import type { FindingRule } from './finding.js'

/** The API key goes to the file host, which needs none. */
export const keySentToFileHost: FindingRule = {
  id: 'key-sent-to-file-host',
  severity: 'error',
  title: 'The API key is sent to the file host',
  why: 'Output URLs are signed and often lie with another company. Whoever runs or logs that host can read the key.',
  remedy: 'Download outputs with a plain GET, without the Authorization header of the API.',
  look: ({ entries }) =>
    entries.flatMap(({ at, ...entry }) => {
      if (entry.type !== 'request' || entry.request.operation !== 'files.download') return []
      const { id, taskId, note, path } = entry.request
      if (!note.hasAuthorization) return []
      return [{ at, taskId, requestIds: [id], seen: `GET ${path} carried an Authorization header.` }]
    }),
}
