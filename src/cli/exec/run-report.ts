import { counted } from '../../engine/counted.js'
import { toDollars, toMicroDollars } from '../../engine/tasks/pricing.js'
import type { Verdict } from '../../inspect/findings/verdict.js'
import { describeUndelivered, remedyFor, UNDELIVERED } from '../../inspect/undelivered.js'
import { clockNote, findingLines, linesWithoutFinding, neverAppliedLine } from '../report/finding-lines.js'
import { type Intercepted, interceptionLines } from '../report/interception-lines.js'
import { type FailOn, failuresOf, type Report, type ReportLine, withFailures } from '../report/report.js'
import type { RunRecord } from './run-record.js'

/** The limits that a run must respect. */
export interface RunLimits {
  readonly failOn: FailOn
  /** The maximum cost in US dollars; undefined for no limit. */
  readonly maxCost: number | undefined
  readonly allowUndelivered: boolean
  readonly allowNoRequests: boolean
  /** Whether the run fails if rules and faults of the scenario never applied. */
  readonly isStrict: boolean
  /** The exit status of the command. */
  readonly status: number
  /** How the client can reach the simulator if it has not. */
  readonly reachRemedy: string
}

/** The report line of a check and, if the check fails the run, the reason. */
interface LimitCheck {
  readonly line?: ReportLine
  readonly failure?: string | undefined
}

/**
 * Reports on a command that ran against a simulator.
 * @param interceptor answered its requests for the hosts of services
 */
export async function reportRun(
  record: RunRecord,
  limits: RunLimits,
  interceptor?: Intercepted,
): Promise<Report> {
  const { findings, checked, applied } = await record.verdict(limits.status === 0)
  const found = [
    ...withFailures(checkRejections(record), limits.failOn),
    ...findingLines(findings, limits.failOn),
  ]
  const requests = checkRequests(record, limits)
  const cost = checkCost(record, limits)
  const webhooks = checkWebhooks(record, limits)
  const rules = checkRules(record, applied, limits)
  return {
    name: 'tasksim exec',
    subject: summary(record),
    note: findings.length > 0 ? clockNote(record.now) : undefined,
    isUnused: record.fromClient === 0,
    lines: [
      requests.line,
      ...(interceptor === undefined ? [] : interceptionLines(interceptor, record.byBaseUrl)),
      ...found,
      rules.line,
      ...linesWithoutFinding({ checked, applied }, record.scenarios),
      cost.line,
      webhooks.line,
    ].filter((each) => each !== undefined),
    failures: [
      requests.failure,
      ...failuresOf(found, limits.failOn),
      rules.failure,
      cost.failure,
      webhooks.failure,
    ].filter((each) => each !== undefined),
  }
}

const FIXTURE_REMEDY =
  'Tests that start their own server, such as those with the fixture for pytest, need no exec: run them without it.'
const ALLOW_REMEDY = 'If the command is allowed to send no request, pass --allow-no-requests.'

/** Reports a run in which the client did not call the simulator: without requests, the run proves nothing. */
function checkRequests(
  { requests, fromClient }: RunRecord,
  { allowNoRequests, status, reachRemedy }: RunLimits,
): LimitCheck {
  if (fromClient > 0) return {}
  const isFailed = status !== 0
  const seen = [
    ...(requests === 0 ? [] : [`No requests to the service, ${requests} to the control API.`]),
    ...(isFailed ? [`The command exited with status ${status}.`] : []),
  ]
  const line: ReportLine = {
    id: 'no-requests',
    mark: allowNoRequests ? 'note' : 'error',
    fails: !allowNoRequests,
    title: 'No request reached the simulator',
    seen,
    why: isFailed
      ? 'The command probably failed before its first request. Otherwise, the client calls another address.'
      : 'The client probably calls another address, such as the real service, so this run checked nothing.',
    remedy: allowNoRequests
      ? reachRemedy
      : `${isFailed ? 'Read the output of the command. ' : ''}${reachRemedy} ${FIXTURE_REMEDY} ${ALLOW_REMEDY}`,
  }
  if (allowNoRequests) return { line }
  const ending = isFailed ? `, and the command exited with status ${status}` : ''
  return { line, failure: `No request reached the simulator${ending}.` }
}

/** Reports that every request was rejected, so that the run checked only how the client handles errors. */
function checkRejections({ created, rejections }: RunRecord): ReportLine[] {
  const { total } = rejections
  if (created > 0 || total === undefined) return []
  const counts = [...total.statuses].map(([status, count]) => `${status || 'no response'} x${count}`)
  return [
    {
      id: 'all-rejected',
      mark: total.isClientError ? 'error' : 'note',
      title: `No task was created: every ${total.type} was rejected`,
      seen: [`${counts.join(', ')}.`, ...total.unknown.map((request) => `There is nothing at ${request}.`)],
      why: total.isClientError
        ? 'No task ran, so this run checked only how the client handles errors.'
        : 'The scenario rejected every request, so this run checked only how the client handles errors.',
      remedy: total.isClientError
        ? 'Check the API key (TASKSIM_API_KEY), the path (TASKSIM_URL) and the body; --verbose logs every request. If the rejections are intended, pass --fail-on never.'
        : 'If the rejections are not intended, run another scenario or change its faults and limits.',
    },
  ]
}

/** Reports the rules and faults that never applied: the run did not test how the client handles them. */
function checkRules(
  { fromClient }: RunRecord,
  applied: Verdict['applied'],
  { isStrict }: RunLimits,
): LimitCheck {
  const line = fromClient === 0 ? undefined : neverAppliedLine(applied, isStrict)
  if (line === undefined) return {}
  return { line, failure: line.fails ? `${line.title} (--strict).` : undefined }
}

function checkCost({ cost }: RunRecord, { maxCost }: RunLimits): LimitCheck {
  if (maxCost === undefined) return {}
  const isOver = cost > toMicroDollars(maxCost)
  return {
    line: {
      id: 'max-cost',
      mark: isOver ? 'error' : 'ok',
      fails: isOver,
      title: isOver ? 'The run exceeded --max-cost' : 'The run stayed within --max-cost',
      seen: [`The tasks cost ${dollars(cost)}; the limit is ${dollars(toMicroDollars(maxCost))}.`],
      why: isOver ? 'The real service would have charged this amount.' : '',
      remedy: isOver ? 'Look for tasks that are created twice, or raise --max-cost.' : '',
    },
    failure: isOver ? `The tasks cost ${dollars(cost)} (--max-cost ${maxCost}).` : undefined,
  }
}

function checkWebhooks({ undelivered }: RunRecord, { allowUndelivered }: RunLimits): LimitCheck {
  if (undelivered.length === 0) return {}
  return {
    line: {
      id: UNDELIVERED,
      mark: allowUndelivered ? 'note' : 'error',
      fails: !allowUndelivered,
      title: 'Receivers did not accept some webhooks',
      seen: undelivered.map(describeUndelivered),
      why: 'The app misses these events unless it also polls.',
      remedy: `${remedyFor(undelivered)} The receiver must run as long as the command. To accept this, pass --allow-undelivered.`,
    },
    failure: allowUndelivered ? undefined : `${counted(undelivered.length, 'undelivered webhook')}.`,
  }
}

function summary({ requests, created, ended, delivered, due, cost }: RunRecord): string {
  const unfinished = created - Object.values(ended).reduce((sum, count) => sum + count, 0)
  const counts = unfinished > 0 ? { ...ended, unfinished } : ended
  const states = Object.entries(counts).map(([status, count]) => `${count} ${status}`)
  const tasks = `${counted(created, 'task')}${states.length === 0 ? '' : ` (${states.join(', ')})`}`
  const webhooks = `${counted(delivered, 'webhook')} delivered${due > 0 ? `, ${due} still due` : ''}`
  return `${counted(requests, 'request')}, ${tasks}, ${webhooks}, ${dollars(cost)}`
}

function dollars(microDollars: number): string {
  return `${toDollars(microDollars)} USD`
}
