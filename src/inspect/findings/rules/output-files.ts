import type { AnsweredRequest } from '../../../engine/requests/answered-request.js'
import type { Task } from '../../../engine/tasks/task.js'
import { collectEvidence, requestEvidence, requestLine } from '../evidence.js'
import type { Evidence, FindingRule, RuleResult, Unclear } from '../finding.js'
import type { FindingContext } from '../finding-context.js'
import { fileOf, groupRequests, type RequestGroup } from '../request-groups.js'
import { findKnownEnd, isDropped, isRejected } from '../task-history.js'
import { stopsEarly } from './gives-up-after-failed-poll.js'
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
      return attempts.map((group) => judgeAttempts(group, context)).find((each) => each !== undefined)
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
export function checkFiles<Occasion>(
  occasions: readonly Occasion[],
  { downloads, histories }: FindingContext,
  check: (occasion: Occasion) => Evidence | Unclear | undefined,
): RuleResult {
  const isInAnswers = downloads.length === 0 && histories.some(({ hasFiles }) => hasFiles)
  return occasions.length === 0 && isInAnswers ? IN_ANSWERS : collectEvidence(occasions, check)
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
