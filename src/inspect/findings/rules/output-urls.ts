import type { AnsweredRequest } from '../../../engine/requests/answered-request.js'
import { collectEvidence, formatDuration, formatTimes, requestEvidence, requestLine } from '../evidence.js'
import type { Evidence, FindingRule, Unclear } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import { byArrival, fileOf, groupRequests } from '../request-groups.js'
import type { TaskHistory } from '../task-history.js'
import { isWithoutKey } from './key-missing.js'
import { checkFiles } from './output-files.js'

/** Detects a request for a file with an expired URL, unless the client also downloads it with a fresh one. */
export const fetchedAfterExpiry: FindingRule = {
  id: 'fetched-after-expiry',
  severity: 'error',
  title: 'A file is requested after its URL has expired',
  why: 'Output URLs are valid for hours. A stored URL does not work the next day.',
  remedy:
    'Download outputs as soon as the task succeeds, and store the files. Some services give a fresh URL if you retrieve the task, as long as they keep the file.',
  occasion: 'requests',
  provoke: 'Let the client download an output later, with `outputs.lifetime: 1s` or on an advanced clock.',
  sees: 'downloads',
  check: (context) =>
    checkFiles(
      context.downloads.filter((request) => couldExpire(request, context)),
      context,
      (request) => findExpiry(request, context),
    ),
}

/** Whether the URL of a download has expired until now, so that the client could have come too late. */
function couldExpire(request: AnsweredRequest, context: FindingContext): boolean {
  const { now, historyOf, isGone, urlLifetimeOf } = context
  const history = historyOf(request.taskId)
  const task = history?.task
  if (request.note.refused !== undefined || task === undefined || isGone(task, now)) return true
  const given = findSource(request, history)?.answeredAt ?? task.completedAt ?? now
  return now >= given + urlLifetimeOf(task)
}

/** Milliseconds. A client that downloads a file so soon after it has got the URL does not store the URL. */
const PROMPT = 60_000

function findExpiry(
  request: AnsweredRequest,
  { historyOf, waits }: FindingContext,
): Evidence | Unclear | undefined {
  const { fault, at, id, note } = request
  const { why, expiredAt } = note.refused ?? {}
  if (fault !== undefined || why === undefined || why === 'tampered') return undefined
  const later = historyOf(request.taskId)?.downloads ?? []
  if (later.some((other) => other.id > id && fileOf(other) === fileOf(request) && other.status < 300))
    return undefined
  const source = findSource(request, historyOf(request.taskId))
  const lifetime = expiredAt === undefined || source === undefined ? PROMPT : expiredAt - source.answeredAt
  if (source === undefined && waits.isFaster) return waits
  const isStored = source === undefined || waits.isLonger(source, request, Math.min(PROMPT, lifetime))
  if (!isStored) return isStored === undefined ? waits : undefined
  const when =
    expiredAt === undefined
      ? 'after the service had deleted the file'
      : `${formatDuration(at - expiredAt)} after it had expired`
  return requestEvidence([request], `${requestLine(request)} came ${when}.`)
}

/** The last request before a download whose answer showed the task. */
function findSource(
  download: AnsweredRequest,
  history: TaskHistory | undefined,
): AnsweredRequest | undefined {
  if (history === undefined) return undefined
  const { created, polls, results, listed } = history
  return [created, listed, ...polls, ...results]
    .flatMap((read) => (read?.reported === undefined ? [] : read.request))
    .filter(({ id }) => id < download.id)
    .sort(byArrival)
    .at(-1)
}

/** Detects an output URL without its signature, or with one that does not match. */
export const urlAltered: FindingRule = {
  id: 'url-altered',
  severity: 'error',
  title: 'An output URL is changed before it is used',
  why: 'The query contains the signature. The file host rejects a URL without it or with another encoding.',
  remedy: 'Use output URLs unchanged, and do not remove the query before you store or log them.',
  occasion: 'requests',
  provoke: 'Let the client download an output, as in the scenario `default`.',
  sees: 'downloads',
  check: (context) =>
    checkFiles(context.downloads, context, (request) => {
      const { fault, query, note } = request
      if (note.refused?.why !== 'tampered' || fault !== undefined) return undefined
      const flaw = !new URLSearchParams(query).has('signature')
        ? 'no signature'
        : 'a signature that does not match'
      return requestEvidence([request], `${requestLine(request)} had ${flaw}.`)
    }),
}

/** Detects repeated downloads of the same file. */
export const hotLinked: FindingRule = {
  id: 'hot-linked',
  severity: 'warning',
  title: 'A file is downloaded repeatedly',
  why: 'The file host is not permanent storage: its URLs expire, and pages that embed them break.',
  remedy: 'Download each file once, and serve it from your own storage.',
  occasion: 'requests',
  provoke: 'Let the client download an output, as in the scenario `default`.',
  sees: 'downloads',
  check: (context) => {
    const files = groupRequests(context.downloads, (request) =>
      isComplete(request) ? fileOf(request) : undefined,
    )
    return checkFiles(files, context, (requests) =>
      requests.length > context.thresholds.downloads
        ? requestEvidence(
            requests,
            `${requestLine(requests[0])} was answered ${formatTimes(requests.length)}.`,
          )
        : undefined,
    )
  },
}

/** Excludes HEAD and Range requests, which belong to another download, and downloads that a fault interrupted. */
function isComplete({ method, status, delivered, fault, note }: AnsweredRequest): boolean {
  return method === 'GET' && status === 200 && delivered && fault === undefined && note.isPart !== true
}

/** Detects that the client stores the URL of an output, if the test reports it. */
export const keepsOutputUrl: FindingRule = {
  id: 'keeps-output-url',
  severity: 'error',
  title: 'The URL of an output is stored instead of the file',
  why: 'The URL expires, and then the client has lost the output.',
  remedy: 'Download the file, put it into your own storage, and store that address.',
  occasion: 'observation',
  provoke:
    "Call `sim.observe('output.kept', { taskId, as: 'url' })`, or `'file'`, where the client stores an output.",
  needs: 'output.kept',
  check: ({ observations }) =>
    collectEvidence(
      observations.filter(({ what }) => what === 'output.kept'),
      ({ as, at, taskId }) =>
        as === 'url' ? { at, taskId, seen: 'The test reports that the client stored the URL.' } : undefined,
    ),
}

/** Whether the signature in the URL is enough, or none is needed. */
function needsNoKey({ key, status, note }: AnsweredRequest): boolean {
  return key === '' && status !== 401 && !isWithoutKey(note)
}

const REDIRECTS = [301, 302, 303, 307, 308]

/** Whether the service has redirected to a file: here it is on the same host, so the client sends the key on. */
function isRedirected({ taskId }: AnsweredRequest, { downloads }: FindingContext): boolean {
  return downloads.some((other) => other.taskId === taskId && REDIRECTS.includes(other.status))
}

/** Detects an Authorization header in a request for a file with a signed URL, which needs no key. */
export const keySentToFileHost: FindingRule = {
  id: 'key-sent-to-file-host',
  severity: 'error',
  title: 'The API key is sent to the file host',
  why: 'Output URLs often point to another company. Anyone who runs that host or reads its logs gets the key.',
  remedy: 'Download outputs with a plain GET, without the Authorization header of the API.',
  occasion: 'requests',
  provoke: 'Let the client download an output, as in the scenario `default`.',
  sees: 'downloads',
  check: (context) =>
    checkFiles(context.downloads.filter(needsNoKey), context, (request) =>
      request.note.hasAuthorization === true && !isRedirected(request, context)
        ? requestEvidence([request], `${requestLine(request)} had an Authorization header.`)
        : undefined,
    ),
}
