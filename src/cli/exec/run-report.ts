import { toDollars } from '../../engine/tasks/pricing.js'
import type { Delivery } from '../../engine/webhooks/delivery.js'
import { maskUrl } from '../../engine/webhooks/mask-url.js'
import type { Finding } from '../../inspect/findings/finding.js'
import type { Checked } from '../../inspect/findings/verdict.js'
import { type FailOn, failuresOf, type Report, type ReportLine, withFailures } from '../report/report.js'
import type { RunRecord } from './run-record.js'

/** The limits that a run must respect. */
export interface RunLimits {
  readonly failOn: FailOn
  /** The maximum cost in US dollars; undefined for no limit. */
  readonly maxCost: number | undefined
  readonly allowUndelivered: boolean
  readonly allowNoRequests: boolean
  /** The exit status of the command. */
  readonly status: number
}

/** Reports on a command that ran against a simulator. */
export async function reportRun(record: RunRecord, limits: RunLimits): Promise<Report> {
  const { findings, checked } = await record.verdict()
  const found = withFailures([...rejected(record), ...findings.map(lineOf)], limits.failOn)
  const lines = [
    ...noRequests(record, limits),
    ...found,
    ...checked.flatMap(withoutFinding),
    ...budget(record, limits.maxCost),
    ...webhooks(record, limits.allowUndelivered),
  ]
  return {
    name: 'tasksim exec',
    subject: summary(record),
    isUnused: record.fromClient === 0,
    lines,
    failures: [
      ...unreached(record, limits),
      ...failuresOf(found, limits.failOn),
      ...overspent(record, limits.maxCost),
      ...undelivered(record, limits),
    ],
  }
}

/** A client that calls another address, such as the real service, makes no mistake here, but the run proves nothing. */
function noRequests(
  { requests, fromClient }: RunRecord,
  { allowNoRequests, status }: RunLimits,
): ReportLine[] {
  if (fromClient > 0) return []
  const seen = [
    ...(requests === 0 ? [] : [`No requests to the service, ${requests} to the control API.`]),
    ...(status === 0 ? [] : [`The command exited with status ${status}.`]),
  ]
  return [
    {
      id: 'no-requests',
      mark: allowNoRequests ? 'note' : 'error',
      fails: !allowNoRequests,
      title: 'No request reached the simulator',
      seen,
      why:
        status === 0
          ? 'The client probably calls another address, such as the real service, so this run checked nothing.'
          : 'The command probably failed before its first request. Otherwise, the client calls another address.',
      remedy: allowNoRequests ? REACH : `${firstStep(status)}${REACH} ${ALLOW}`,
    },
  ]
}

const REACH =
  'Make the client read TASKSIM_URL, or set the variable that it reads: --env API_BASE_URL=base_url.'
const ALLOW = 'If the command is allowed to send no request, pass --allow-no-requests.'

function firstStep(status: number): string {
  return status === 0 ? '' : 'Read the output of the command. '
}

function unreached({ fromClient }: RunRecord, { allowNoRequests, status }: RunLimits): string[] {
  if (allowNoRequests || fromClient > 0) return []
  const ending = status === 0 ? '' : `, and the command exited with status ${status}`
  return [`No request reached the simulator${ending}.`]
}

/** If every request was rejected, the run checks only how the client handles errors. */
function rejected({ created, rejections }: RunRecord): ReportLine[] {
  const { total } = rejections
  if (created > 0 || total === undefined) return []
  const counts = [...total.statuses].map(([status, count]) => `${status || 'no response'} x${count}`)
  return [
    {
      id: 'all-rejected',
      mark: total.isFaultOfClient ? 'error' : 'warning',
      title: `No task was created: every ${total.what} was rejected`,
      seen: [`${counts.join(', ')}.`],
      why: total.isFaultOfClient
        ? 'No task ran, so this run checked only how the client handles errors.'
        : 'The scenario rejected every request, so this run checked only how the client handles errors.',
      remedy: total.isFaultOfClient
        ? 'Check the API key (TASKSIM_API_KEY), the path (TASKSIM_URL) and the body; --verbose logs every request. If the rejections are intended, pass --fail-on never.'
        : 'If the rejections are not intended, run another scenario or change its faults and limits.',
    },
  ]
}

/** The line of a rule without a finding: the client made no such mistake, or had no occasion for it. */
function withoutFinding({ id, title, state, needs }: Checked): ReportLine[] {
  if (state !== 'ok' && state !== 'not_observed') return []
  const remedy = needs === undefined ? '' : `To check it, call sim.observe('${needs}', ...).`
  return [{ id, mark: state, title, seen: [], why: '', remedy, isBrief: true }]
}

function lineOf({ id, severity, title, why, remedy, count, evidence }: Finding): ReportLine {
  return {
    id,
    mark: severity,
    title,
    why,
    remedy,
    seen: shown(evidence, count),
    details: { count, evidence },
  }
}

const MOST_SHOWN = 5

function shown(evidence: Finding['evidence'], count: number): string[] {
  const lines = evidence.slice(0, MOST_SHOWN).map(({ seen }) => seen)
  return count > lines.length ? [...lines, `... and ${count - lines.length} more.`] : lines
}

function budget({ cost }: RunRecord, maxCost: number | undefined): ReportLine[] {
  if (maxCost === undefined) return []
  const isOver = cost > inMicro(maxCost)
  return [
    {
      id: 'max-cost',
      mark: isOver ? 'error' : 'ok',
      fails: isOver,
      title: isOver ? 'The run exceeded --max-cost' : 'The run stayed within --max-cost',
      seen: [`The tasks cost ${dollars(cost)}; the limit is ${dollars(inMicro(maxCost))}.`],
      why: isOver ? 'The real service would have charged this amount.' : '',
      remedy: isOver ? 'Look for tasks that are created twice, or raise --max-cost.' : '',
    },
  ]
}

function overspent({ cost }: RunRecord, maxCost = Infinity): string[] {
  return cost > inMicro(maxCost) ? [`The tasks cost ${dollars(cost)} (--max-cost ${maxCost}).`] : []
}

function webhooks({ undelivered }: RunRecord, isAllowed: boolean): ReportLine[] {
  if (undelivered.length === 0) return []
  return [
    {
      id: 'undelivered-webhooks',
      mark: isAllowed ? 'note' : 'error',
      fails: !isAllowed,
      title: 'No receiver accepted some webhooks',
      seen: undelivered.map(lastAttempt),
      why: 'The app misses these events unless it also polls.',
      remedy:
        'Answer each webhook with a 2xx within 15 seconds while the command runs, or pass --allow-undelivered.',
    },
  ]
}

function undelivered({ undelivered: deliveries }: RunRecord, { allowUndelivered }: RunLimits): string[] {
  if (allowUndelivered || deliveries.length === 0) return []
  return [`${plural(deliveries.length, 'undelivered webhook')}.`]
}

function lastAttempt({ url, event, taskId, attempts }: Delivery): string {
  const { status, error } = attempts.at(-1) ?? {}
  return `${event} of ${taskId} to ${maskUrl(url)}: ${status ?? error ?? 'no response'} at attempt ${attempts.length}.`
}

function summary({ requests, created, ended, delivered, cost }: RunRecord): string {
  const states = Object.entries(ended).map(([status, count]) => `${count} ${status}`)
  const tasks = `${plural(created, 'task')}${states.length === 0 ? '' : ` (${states.join(', ')})`}`
  return `${plural(requests, 'request')}, ${tasks}, ${plural(delivered, 'webhook')} delivered, ${dollars(cost)}`
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

function inMicro(usd: number): number {
  return Math.round(usd * 1_000_000)
}

function dollars(microDollars: number): string {
  return `${toDollars(microDollars)} USD`
}
