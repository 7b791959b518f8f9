import type { AnsweredRequest } from '../../../engine/events.js'
import { judge, line, seenIn, times } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import { downloadsIn } from './downloads.js'

/** The same file is downloaded again and again. */
export const hotLinked: FindingRule = {
  id: 'hot-linked',
  severity: 'warning',
  title: 'A file is downloaded again and again',
  why: 'The file host is no store: its URLs expire, and every page that shows them breaks.',
  remedy: 'Download each file once, and serve it from a place of your own.',
  look: (record) => {
    const files = new Map<string, [AnsweredRequest, ...AnsweredRequest[]]>()
    for (const request of downloadsIn(record)) {
      if (!isWhole(request)) continue
      const known = files.get(request.path)
      if (known === undefined) files.set(request.path, [request])
      else known.push(request)
    }
    return judge(files.values(), (requests) =>
      requests.length > record.thresholds.downloads
        ? seenIn(requests, `${line(requests[0])} was answered ${times(requests.length)}.`)
        : undefined,
    )
  },
}

/** A HEAD and a Range are parts of one download, and what a fault has spoilt has to be fetched again. */
function isWhole({ method, status, delivered, fault, note }: AnsweredRequest): boolean {
  return method === 'GET' && status === 200 && delivered && fault === undefined && note.isPart !== true
}
