import { judge, line, seenIn } from '../evidence.js'
import type { FindingRule } from '../finding.js'
import { downloadsIn } from './downloads.js'

/** An output URL comes back other than it was given. */
export const urlAltered: FindingRule = {
  id: 'url-altered',
  severity: 'error',
  title: 'An output URL is changed before it is used',
  why: 'The query of the URL is its signature: without it, or with something encoded anew, the file is refused.',
  remedy: 'Use output URLs as they are, and take no query away before you keep or log them.',
  look: (record) =>
    judge(downloadsIn(record), (request) => {
      const { status, fault, at, query } = request
      const { expires, signature } = Object.fromEntries(new URLSearchParams(query))
      const isExpired = signature !== undefined && Number(expires) * 1_000 <= at
      if (status !== 403 || fault !== undefined || isExpired) return undefined
      const what = signature === undefined ? 'no signature' : 'a signature of something else'
      return seenIn([request], `${line(request)} came with ${what}.`)
    }),
}
