import type { Finding } from '../../core/findings/finding.js'
import type { Checked } from '../../core/findings/verdict.js'
import { toDollars } from '../../core/task/pricing.js'
import type { Delivery } from '../../core/webhook/delivery.js'
import { type FailOn, failuresOf, type Judged, type Judgement } from '../verdict/judged.js'
import type { RunRecord } from './run-record.js'

/** What a run is judged by. */
export interface Terms {
  readonly failOn: FailOn
  /** US dollars that may be spent; no limit where undefined. */
  readonly maxCost: number | undefined
  readonly allowUndelivered: boolean
}

/** The verdict on a command that ran against a simulator. */
export async function judgeRun(record: RunRecord, terms: Terms): Promise<Judgement> {
  const { findings, checked } = await record.verdict()
  const found = [...silence(record), ...findings.map(asJudged)]
  const judged = [
    ...found,
    ...checked.flatMap(withoutFinding),
    ...budget(record, terms.maxCost),
    ...webhooks(record, terms.allowUndelivered),
  ]
  return {
    name: 'tasksim exec',
    subject: summary(record),
    judged,
    failures: [...failuresOf(found, terms.failOn), ...spent(record, terms.maxCost), ...missed(record, terms)],
  }
}

/** A client that goes elsewhere, such as to the real service, does nothing wrong here. */
function silence({ requests }: RunRecord): Judged[] {
  if (requests > 0) return []
  return [
    {
      id: 'no-requests',
      mark: 'warning',
      title: 'Nothing reached the simulator',
      seen: ['0 requests.'],
      why: 'The client may have a base URL of its own, and the verdict is on nobody.',
      remedy: 'Let it read TASKSIM_URL, or name its own variable: --env API_BASE_URL=base_url.',
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
  return `${event} of ${taskId} to ${url}: ${status ?? error ?? 'no answer'} at attempt ${attempts.length}.`
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
