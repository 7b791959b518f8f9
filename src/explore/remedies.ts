import type { WayToFind } from '../inspect/findings/finding-context.js'
import { FINDING_RULES } from '../inspect/findings/rules.js'
import type { ReportedRun, RunResult } from './report.js'

/** What a run is about. */
interface Cause extends Pick<ReportedRun, 'result' | 'severity' | 'operation' | 'findings'> {
  /** The words of the deviations. */
  readonly deviations: readonly string[]
  /** How the client could find a task whose create answer was lost. */
  readonly waysToFind: readonly WayToFind[]
  /** Whether the client has waited for a promise that nobody settles. */
  readonly isUnsettled: boolean
}

/** What a client does wrong with a request, a webhook, a task, a file, or a service that is down. */
type Subject = 'create' | 'read' | 'list' | 'cancel' | 'webhook' | 'task' | 'file' | 'service' | 'other'

/** Why a result matters in production. */
export function whyOf(cause: Cause): string {
  const { result, findings } = cause
  if (result === 'accepted_forgery') return whyForged(cause)
  if (cause.isUnsettled) return WHY_UNSETTLED
  const rule = result === 'finding' ? ruleOf(findings) : undefined
  return rule?.why ?? WHY[result]
}

function whyForged({ severity, deviations }: Cause): string {
  const reasons = deviations.map((word) => WHY_FORGED[word] ?? WITHOUT_SIGNATURE)
  const effect =
    severity === 'error'
      ? 'With the forgery, the run ended otherwise: the client acted on it, or missed the genuine event.'
      : 'The receiver answered 2xx. Nothing shows whether it acted on the webhook, but the service takes it for delivered.'
  return [...new Set(reasons), effect].join(' ')
}

/** How to fix a client with a result. */
export function remedyOf(cause: Cause): string {
  const { result, operation, deviations, findings, waysToFind, isUnsettled } = cause
  if (isUnsettled) return SETTLE
  const rule = result === 'finding' ? ruleOf(findings) : undefined
  if (rule !== undefined) return rule.remedy
  const remedies = remediesOf(lookUpBy(waysToFind))[result] ?? {}
  const remedy = remedies[subjectOf(operation)] ?? remedies.other ?? ''
  const special = deviations.flatMap((word) => SPECIAL[result]?.[word.split('.')[0] ?? word] ?? [])
  return [...new Set(special), remedy].join(' ')
}

function ruleOf([id]: readonly string[]): (typeof FINDING_RULES)[number] | undefined {
  return FINDING_RULES.find((rule) => rule.id === id)
}

function subjectOf(operation: string): Subject {
  switch (operation) {
    case 'tasks.create':
      return 'create'
    case 'tasks.retrieve':
    case 'tasks.result':
    case 'tasks.stream':
      return 'read'
    case 'tasks.list':
      return 'list'
    case 'tasks.cancel':
    case 'tasks.cancel_queued':
    case 'tasks.delete':
      return 'cancel'
    case 'files.download':
    case 'file':
      return 'file'
    case 'webhook':
    case 'task':
    case 'service':
      return operation
    default:
      return operation.startsWith('webhook:') ? 'webhook' : 'other'
  }
}

const WHY: Readonly<Record<Exclude<RunResult, 'accepted_forgery'>, string>> = {
  crashed:
    'An error that nobody catches ends the process, with all other work in it, and nobody learns what became of the task.',
  hung: 'A client that waits for ever blocks its worker, and reports neither a result nor a failure.',
  paid_twice: 'The service bills each task that succeeds. Nobody needs the second result.',
  lost_result:
    'The task is billed, and nobody has its result. Later the service deletes it, and nobody notices the loss.',
  wrong_result:
    'The client reports success without the expected result, so the failure shows later, or never.',
  finding: 'The client makes a mistake that it does not make without this failure.',
  gave_up:
    'This failure passes. A client that gives up fails more often than its service, and a person has to start it again.',
  reported: '',
  recovered: '',
}

const WHY_UNSETTLED =
  'Node.js ends a process that waits for nothing but a promise, in the middle of its work. Nobody learns what became of the task.'
const SETTLE =
  'Settle each promise whatever happens: reject it at the events `error`, `aborted` and `close` of a request or a stream, and at a deadline. A timer after `unref()`, as in `AbortSignal.timeout`, does not keep the process alive.'

/** How to learn what became of a create request without a readable answer, by the ways that the service has. */
function lookUpBy(ways: readonly WayToFind[]): string {
  const places = [
    ...(ways.includes('list') ? ['in the list of the service'] : []),
    ...(ways.includes('webhook') ? ['by its webhook'] : []),
  ]
  if (places.length > 0)
    return `After a create request without a readable answer, look for the task before you order again: ${places.join(', or ')}.`
  const report =
    'After a create request without a readable answer, report that the task may be billed, and do not order again by yourself'
  return ways.includes('possible_webhook')
    ? `${report}. Only a webhook shows such a task: name a receiver in each create request.`
    : `${report}: the service offers no way to look for the task.`
}

const WITHOUT_SIGNATURE = 'Anyone who knows the URL of the receiver can send it events.'
const WITH_ANOTHER_BODY = 'Anyone who has seen one signed webhook can send another body with its signature.'

/** Why a forgery matters, by the word of its deviation; {@link WITHOUT_SIGNATURE} by default. */
const WHY_FORGED: Readonly<Record<string, string>> = {
  old_timestamp:
    'The signature of a recorded webhook stays correct: anyone who has recorded one can send it again at any time.',
  changed: WITH_ANOTHER_BODY,
  truncated: WITH_ANOTHER_BODY,
}

const DEADLINE =
  'Set a deadline for each task, after which you cancel it and report a failure, whatever the service answers until then.'
const POLL_AGAIN =
  'Only the poll failed: the task goes on. Poll again, with increasing delays, after 429, 5xx, a broken answer or none.'
const DOWNLOAD_AGAIN =
  'Give the download a timeout, check its status and its length, and repeat it if it fails. If the URL has expired, retrieve the task for a new one.'
const FALL_BACK = 'Do not depend on a webhook: poll each task whose webhook is late, until your deadline.'
const REPORT =
  'Report success only for a task whose status says so and whose whole output you have. End with another status than 0 if one item of a batch failed.'
const TIMEOUT =
  'Give each request a timeout that covers the whole answer, such as `AbortSignal.timeout(30_000)`, and end after a fixed number of tries.'

type Remedies = Readonly<Partial<Record<RunResult, Readonly<Partial<Record<Subject, string>>>>>>

/** @param lookUp how to learn what became of a create request without a readable answer */
const remediesOf = (lookUp: string): Remedies => ({
  crashed: {
    webhook:
      'Catch errors in the handler of webhooks: answer 400 to a body that you cannot read, and 401 to a wrong signature.',
    other:
      'Catch the errors of this request, also those of a promise that nobody awaits, of an event handler and of reading the body. Report the failure, and end with a status of your own.',
  },
  hung: {
    webhook: `${FALL_BACK} Answer an event of an unknown task with an error, so that the service sends it again.`,
    task: DEADLINE,
    file: DOWNLOAD_AGAIN,
    service: `${TIMEOUT} ${DEADLINE}`,
    other: TIMEOUT,
    read: `${TIMEOUT} ${DEADLINE}`,
  },
  paid_twice: {
    create: `${lookUp} Some official clients repeat create requests by themselves: limit their retries, as with \`maxRetries: 0\`.`,
    read: `${POLL_AGAIN} Do not order the task again.`,
    list: 'A list that fails says nothing about the task. Request it again before you order anew.',
    cancel: 'Order a task anew only after you have seen that the old one is canceled.',
    webhook: `Handle each event once: store the id of the task before you act on it. ${FALL_BACK} Do not order the task again.`,
    task: 'Before you order a task anew because it takes long, cancel it, and check that it was canceled.',
    file: `${DOWNLOAD_AGAIN} Do not order the task again.`,
    other: lookUp,
  },
  accepted_forgery: {
    other:
      'Verify the signature of the raw body before you parse it, with a comparison in constant time, and check that the signed time is at most five minutes away. Answer 401 if any of it is wrong or missing.',
  },
  lost_result: {
    create: lookUp,
    read: POLL_AGAIN,
    list: 'If the list fails, request it again. A list that fails, or one page of it, does not show that the task does not exist.',
    cancel:
      'A cancel request may fail, or come too late. Request the task once more to see how it ended, and fetch its result.',
    webhook: FALL_BACK,
    task: `${DEADLINE} Treat a status that you do not know as not final.`,
    file: DOWNLOAD_AGAIN,
    other: `${POLL_AGAIN} ${lookUp}`,
  },
  wrong_result: {
    create: `Check the status of the answer to a create request, and its body. ${REPORT}`,
    file: `${DOWNLOAD_AGAIN} ${REPORT}`,
    webhook: `Read the status in the webhook. ${REPORT}`,
    other: REPORT,
  },
  gave_up: {
    create: `Repeat a create request that the service has certainly not carried out (429, 503), with increasing delays. ${lookUp}`,
    read: POLL_AGAIN,
    list: 'Request the list again, with increasing delays.',
    cancel: 'Repeat the cancel request, and then look how the task ended.',
    webhook: FALL_BACK,
    file: DOWNLOAD_AGAIN,
    service: 'Keep the ids of your tasks, and poll again with increasing delays for at least a minute.',
    other: 'Repeat the request with increasing delays, for at least a minute.',
  },
})

const ENDS = 'Compare the status with the word for success: a task may fail, or end as canceled.'
const ORDER_OF_EVENTS =
  'Webhooks may come twice and in any order: ignore an event whose state is older than the one that you have.'
/** Words of genuine webhooks that come twice, in another order or in another format. */
const UNUSUAL_WEBHOOKS = {
  spaced: 'Verify the signature of the raw bytes of a webhook, before its body is parsed.',
  duplicate: ORDER_OF_EVENTS,
  duplicate_at_once: ORDER_OF_EVENTS,
  reordered: ORDER_OF_EVENTS,
}
const REJECTED = 'Report a failure if the service rejects the request for good.'

/** What a remedy says first about one deviation. */
const SPECIAL: Readonly<Partial<Record<RunResult, Readonly<Record<string, string>>>>> = {
  hung: {
    ...UNUSUAL_WEBHOOKS,
    unknown_status: 'Treat a status that you do not know as not final, but only until your deadline.',
    stuck: 'Some tasks never end.',
    '429': 'Wait as long as `Retry-After` says, and then try again.',
  },
  wrong_result: {
    ...UNUSUAL_WEBHOOKS,
    no_output:
      'A task may succeed without an output, for example if all of it was filtered: check that it is there.',
    unknown_status: 'Compare the status with the word for success, not with those for failure.',
    failed: ENDS,
    filtered: ENDS,
    canceled: ENDS,
  },
  gave_up: {
    ...UNUSUAL_WEBHOOKS,
    '429': 'Wait as long as `Retry-After` says, and then send the request again.',
    redirect: 'Follow redirects of output URLs.',
  },
  lost_result: {
    ...UNUSUAL_WEBHOOKS,
    '429': 'Wait as long as `Retry-After` says, and then send the request again.',
    redirect: 'Follow redirects of output URLs.',
    unknown_status: 'A status that you do not know is not success: poll on until you know the end.',
    no_output:
      'An answer may lack the output although the task has succeeded: check that it is there, and ask again.',
    '401': REJECTED,
    '403': REJECTED,
    '404': REJECTED,
    '410': REJECTED,
    stale: 'An answer may be older than one before: poll on until the end.',
  },
}
