import { toDollars } from '../../engine/tasks/pricing.js'
import type { Delivery } from '../../engine/webhooks/delivery.js'
import { maskUrl } from '../../engine/webhooks/mask-url.js'
import type { Finding } from '../../inspect/findings/finding.js'
import type { Checked } from '../../inspect/findings/verdict.js'
import { type FailOn, failuresOf, type Judged, type Judgement, withFailures } from '../verdict/judged.js'
import type { RunRecord } from './run-record.js'

/** What a run is judged by. */
export interface Terms {
  readonly failOn: FailOn
  /** US dollars that may be spent; no limit where undefined. */
  readonly maxCost: number | undefined
  readonly allowUndelivered: boolean
  readonly allowNoRequests: boolean
  /** The exit status of the command. */
  readonly status: number
}

/** The verdict on a command that ran against a simulator. */
export async function judgeRun(record: RunRecord, terms: Terms): Promise<Judgement> {
  const { findings, checked } = await record.verdict()
  const found = withFailures([...rejected(record), ...findings.map(asJudged)], terms.failOn)
  const judged = [
    ...silence(record, terms),
    ...found,
    ...checked.flatMap(withoutFinding),
    ...budget(record, terms.maxCost),
    ...webhooks(record, terms.allowUndelivered),
  ]
  return {
    name: 'tasksim exec',
    subject: summary(record),
    isUnused: record.fromClient === 0,
    judged,
    failures: [
      ...unreached(record, terms),
      ...failuresOf(found, terms.failOn),
      ...spent(record, terms.maxCost),
      ...missed(record, terms),
    ],
  }
}

/** A client that calls another address, such as the real service, does nothing wrong here, but proves nothing either. */
function silence({ requests, fromClient }: RunRecord, { allowNoRequests, status }: Terms): Judged[] {
  if (fromClient > 0) return []
  const count = requests === 0 ? '0 requests.' : `0 requests to the service, ${requests} to the control API.`
  return [
    {
      id: 'no-requests',
      mark: allowNoRequests ? 'note' : 'error',
      fails: !allowNoRequests,
      title: 'No request reached the simulator',
      seen: status === 0 ? [count] : [count, `The command exited with status ${status}.`],
      why:
        status === 0
          ? 'The client probably calls another address, such as the real service, so that this run checks nothing.'
          : 'The command probably failed before its first request. Otherwise, the client calls another address.',
      remedy: allowNoRequests ? REACH : `${firstStep(status)}${REACH} ${ALLOW}`,
    },
  ]
}

const REACH =
  'Let the client read TASKSIM_URL, or set the variable that it reads: --env API_BASE_URL=base_url.'
const ALLOW = 'If the command may end without a request, pass --allow-no-requests.'

function firstStep(status: number): string {
  return status === 0 ? '' : 'See what the command printed. '
}

function unreached({ fromClient }: RunRecord, { allowNoRequests, status }: Terms): string[] {
  if (allowNoRequests || fromClient > 0) return []
  const ending = status === 0 ? '' : `, and the command exited with status ${status}`
  return [`no request reached the simulator${ending}.`]
}

/** A client that was rejected every time: the run checks only how it handles errors. */
function rejected({ created, rejections }: RunRecord): Judged[] {
  const { total } = rejections
  if (created > 0 || total === undefined) return []
  const counts = [...total.statuses].map(([status, count]) => `${status || 'no answer'} x${count}`)
  return [
    {
      id: 'all-rejected',
      mark: total.isFaultOfClient ? 'error' : 'warning',
      title: `No task was created: every ${total.what} was rejected`,
      seen: [`${counts.join(', ')}.`],
      why: total.isFaultOfClient
        ? 'No task ran, so this run checks only how the client handles errors.'
        : 'The scenario rejected every request, so this run checks only how the client handles errors.',
      remedy: total.isFaultOfClient
        ? 'Check the API key (TASKSIM_API_KEY), the path (TASKSIM_URL) and the body; --verbose logs every request. If the rejections are intended, pass --fail-on never.'
        : 'If the rejections are not intended, run another scenario or change its faults and limits.',
    },
  ]
}

/** A rule by which nothing was found: the client did not do it, or there was no occasion to. */
function withoutFinding({ id, title, state, needs }: Checked): Judged[] {
  if (state !== 'ok' && state !== 'not_observed') return []
  const remedy = needs === undefined ? '' : `Tell it by sim.observe('${needs}', ...).`
  return [{ id, mark: state, title, seen: [], why: '', remedy, isBrief: true }]
}

function asJudged({ id, severity, title, why, remedy, count, evidence }: Finding): Judged {
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

/** The first few times that it was seen, and how many more there were. */
const MOST_SHOWN = 5

function shown(evidence: Finding['evidence'], count: number): string[] {
  const lines = evidence.slice(0, MOST_SHOWN).map(({ seen }) => seen)
  return count > lines.length ? [...lines, `... and ${count - lines.length} more.`] : lines
}

function budget({ cost }: RunRecord, maxCost: number | undefined): Judged[] {
  if (maxCost === undefined) return []
  const isOver = cost > inMicro(maxCost)
  return [
    {
      id: 'max-cost',
      mark: isOver ? 'error' : 'ok',
      fails: isOver,
      title: isOver ? 'The run cost more than it may' : 'The run cost no more than it may',
      seen: [`${dollars(cost)} of ${dollars(inMicro(maxCost))} were spent.`],
      why: isOver ? 'The real service would have charged it.' : '',
      remedy: isOver ? 'Look for tasks that are created twice, or raise --max-cost.' : '',
    },
  ]
}

function spent({ cost }: RunRecord, maxCost = Infinity): string[] {
  return cost > inMicro(maxCost) ? [`${dollars(cost)} were spent (--max-cost ${maxCost}).`] : []
}

function webhooks({ undelivered }: RunRecord, isAllowed: boolean): Judged[] {
  if (undelivered.length === 0) return []
  return [
    {
      id: 'undelivered-webhooks',
      mark: isAllowed ? 'note' : 'error',
      fails: !isAllowed,
      title: 'Webhooks were sent that no receiver accepted',
      seen: undelivered.map(lastAttempt),
      why: 'The app never learns what it was to be told, unless it polls as well.',
      remedy:
        'Answer with a 2xx within 15 seconds while the command runs, or allow it with --allow-undelivered.',
    },
  ]
}

function missed({ undelivered }: RunRecord, { allowUndelivered }: Terms): string[] {
  if (allowUndelivered || undelivered.length === 0) return []
  return [`${undelivered.length} undelivered webhook${undelivered.length === 1 ? '' : 's'}.`]
}

function lastAttempt({ url, event, taskId, attempts }: Delivery): string {
  const { status, error } = attempts.at(-1) ?? {}
  return `${event} of ${taskId} to ${maskUrl(url)}: ${status ?? error ?? 'no answer'} at attempt ${attempts.length}.`
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
