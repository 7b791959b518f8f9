import type { AnsweredRequest } from '../../../engine/requests/answered-request.js'
import type { Task } from '../../../engine/tasks/task.js'
import { collectEvidence, formatDuration, formatTimes, requestEvidence, requestLine } from '../evidence.js'
import type { Evidence, FindingRule, RuleResult, Unclear } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import { byArrival, fileOf, groupRequests, type RequestGroup } from '../request-groups.js'
import { findKnownEnd, isDropped, isRejected, type TaskHistory } from '../task-history.js'
import { stopsEarly } from './gives-up-after-failed-poll.js'
import { isWithoutKey } from './key-missing.js'
import { findRetry } from './pays-twice.js'
import { isNeverFetched } from './result-never-fetched.js'

/** Detects files that the client does not download, although it knows that the task succeeded. */
export const outputNeverDownloaded: FindingRule = {
  id: 'output-never-downloaded',
  severity: 'warning',
  title: 'An output is never downloaded',
  why: 'The URL expires within hours or days, and later the service deletes the file.',
  remedy: 'Download the files of a task as soon as it succeeds, and repeat a download that fails.',
  occasion: 'requests',
  provoke: 'Let a task of the client succeed, as in the scenario `default`.',
  sees: 'downloads',
  check: (context) => {
    const available = context.histories.flatMap((history) => {
      const files = history.task?.result?.files ?? 0
      // A more specific rule reports a client that has not requested the URLs, or has ordered the same again.
      const isReported = isNeverFetched(history, context) || findRetry(history, context) !== undefined
      const isUnknown = files === 0 || history.hasFiles || isDropped(history) || isReported
      const end = isUnknown ? undefined : findKnownEnd(history)
      const isGone = end !== undefined && history.task !== undefined && context.isGone(history.task, end.at)
      return end?.isCertain && !isGone ? [{ history, files, at: end.at }] : []
    })
    return checkFiles(available, context, ({ history: { id, task, downloads }, files, at }) => {
      if (!context.isSilentSince(Math.max(at, downloads.at(-1)?.answeredAt ?? at))) return undefined
      if (downloads.length === 0 && task !== undefined && context.isPassedOn(task)) return undefined
      if (downloads.length === 0)
        return { at, taskId: id, seen: `The client requested none of the files (${files}).` }
      const attempts = groupRequests(downloads, (request) =>
        request.method === 'GET' ? fileOf(request) : undefined,
      )
      return first(attempts.map((group) => judgeAttempts(group, context)))
    })
  },
}

/** Detects a client that downloads some of the files of a task, and never asks for the others. */
export const downloadsSomeOutputs: FindingRule = {
  id: 'downloads-some-outputs',
  severity: 'note',
  title: 'Only some outputs of a task are downloaded',
  why: 'The service has produced each file that the task was ordered with. A file that nobody requests is paid for, and lost when its URL expires.',
  remedy: 'Download every file of the output, not only the first. If you need one file, order one.',
  occasion: 'requests',
  provoke: 'Let the client order several files with one task, such as `num_images: 2`, and download them.',
  sees: 'downloads',
  check: (context) => {
    const several = context.histories.flatMap((history) => {
      const { task, downloads, hasFiles } = history
      const last = downloads.at(-1)
      if (task === undefined || last === undefined || hasFiles || isDropped(history)) return []
      const isAvailable = hasOrderedFiles(task) && !context.isGone(task, last.at)
      return isAvailable && downloads.some(isPartOrWhole) ? [{ task, downloads, last }] : []
    })
    return checkFiles(several, context, ({ task, downloads, last }) => {
      if (!isPartOrWhole(last) || !context.isSilentSince(last.answeredAt)) return undefined
      const files = task.result?.files ?? 0
      const requested = new Set(downloads.map(fileOf))
      const used = [...Array(files).keys()].filter(
        (file) => requested.has(`${task.id} ${file}`) || context.isPassedOn(task, file),
      )
      if (used.length === files) return undefined
      return { at: last.at, taskId: task.id, seen: `The client used ${used.length} of the ${files} files.` }
    })
  },
}

/** Whether a task has several files, all of them ordered. In an output of a scenario, one may be a preview. */
function hasOrderedFiles({ result, plan }: Task): boolean {
  return (result?.files ?? 0) > 1 && result?.output === undefined && plan.recorded === undefined
}

const IN_ANSWERS: Unclear = {
  reason:
    'The answers contained the files as `data:` URLs, so there was nothing to download: Replicate sends them to clients that call it over plain HTTP. Test downloads in process, with the `https:` address of the service, as in Vitest.',
}

/** Checks each occasion of a rule about downloads, as {@link collectEvidence}. */
function checkFiles<Occasion>(
  occasions: readonly Occasion[],
  { downloads, histories }: FindingContext,
  check: (occasion: Occasion) => Evidence | Unclear | undefined,
): RuleResult {
  const isInAnswers = downloads.length === 0 && histories.some(({ hasFiles }) => hasFiles)
  return occasions.length === 0 && isInAnswers ? IN_ANSWERS : collectEvidence(occasions, check)
}

function first<Value>(values: readonly (Value | undefined)[]): Value | undefined {
  return values.find((value) => value !== undefined)
}

/** Judges all attempts to download a file. */
function judgeAttempts(attempts: RequestGroup, context: FindingContext): Evidence | Unclear | undefined {
  // A client may read a file in parts, of which the last one matters.
  const isDownloaded = attempts.some(isWhole) || isPartOrWhole(attempts.at(-1))
  const failures = attempts.slice(attempts.findLastIndex(isPartOrWhole) + 1)
  const last = failures.at(-1)
  // Another rule reports a URL that has expired or was changed.
  if (isDownloaded || last === undefined || isRejected(last)) return undefined
  const isTooEarly = stopsEarly(failures, context)
  if (isTooEarly === undefined) return context.waits
  const how = last.status === 0 || last.status < 300 ? 'was not complete' : `was answered with ${last.status}`
  return isTooEarly
    ? requestEvidence([last], `${requestLine(last)} ${how}, and the client did not download the file again.`)
    : undefined
}

/** Whether the client got the whole file, or takes it for that. */
function isWhole({ status, delivered }: AnsweredRequest): boolean {
  return delivered && (status === 200 || status === 304)
}

function isPartOrWhole(request: AnsweredRequest | undefined): boolean {
  return request !== undefined && (isWhole(request) || (request.status === 206 && request.delivered))
}

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
