import type { AnsweredRequest } from '../../engine/events.js'
import { mask } from '../../engine/mask.js'
import type { Entry, RequestEntry } from '../../inspect/journal/entry.js'
import type { Simulator } from '../../simulator.js'
import { decisionOf } from '../journal/decision.js'
import { dialectOfRequest } from '../journal/dialect-of-request.js'
import { dryRun, type Sent } from './dry-run.js'
import { type RequestPlanParts, requestPlans, type TaskHistory } from './request-plans.js'
import { scenarioInForce } from './scenario-in-force.js'
import { CANCELS, requestsAbout } from './task-trace.js'
import type { Step } from './test-plan.js'
import { writeRequestTest } from './write-request-test.js'

/** The most earlier requests of a client that a test repeats. */
const MAX_EARLIER = 60

/**
 * A Vitest file in which a request gets the answer of an answered one. Carries out each plan first, and returns the
 * simplest one in which it does.
 * @returns undefined if no plan does
 */
export async function requestTest(request: AnsweredRequest, sim: Simulator): Promise<string | undefined> {
  const parts = await partsOf(request, sim)
  const given = await scenarioInForce(sim.scenario, ownerOf(request, parts, sim))
  const matches = (sent: Sent) => isSame(sent, request)
  for (const plan of requestPlans(parts, given)) {
    const first = await dryRun(plan, sim.dialects, matches).catch(() => undefined)
    if (first === undefined || !isMatch(first.sent.at(-1), matches)) continue
    const compact = { ...plan, steps: compacted(plan.steps, first.repeated) }
    const run = await dryRun(compact, sim.dialects)
    if (isMatch(run.sent.at(-1), matches))
      return writeRequestTest({ plan: compact, run, request, dialect: parts.dialect })
  }
  return undefined
}

async function partsOf(request: AnsweredRequest, sim: Simulator): Promise<RequestPlanParts> {
  return {
    request,
    dialect: await dialectOfRequest(request, sim),
    seed: sim.seed,
    about: historyOf(request, sim),
    earlier: sim.journal
      .entries()
      .flatMap((entry) => (isEarlier(entry, request) ? [entry.request] : []))
      .slice(-MAX_EARLIER),
  }
}

function isEarlier(entry: Entry, { id, key, dialect }: AnsweredRequest): entry is RequestEntry {
  if (entry.type !== 'request' || entry.request.id >= id) return false
  return entry.request.key === key && entry.request.dialect === dialect
}

function historyOf(request: AnsweredRequest, sim: Simulator): TaskHistory | undefined {
  const { taskId, operation, id } = request
  if (taskId === undefined || operation === 'tasks.create') return undefined
  const task = sim.tasks.get(taskId)
  if (task === undefined) return undefined
  const endsAtPoll = 'polls' in task.plan.end
  const requests = requestsAbout(taskId, sim).filter(
    (each) =>
      each.id < id &&
      (CANCELS.has(each.operation ?? '') || (endsAtPoll && each.operation === 'tasks.retrieve')),
  )
  return { task, requests }
}

/** The API key of the client, if a task or the scenario knows it: the journal has only its mask. */
function ownerOf({ key }: AnsweredRequest, { about }: RequestPlanParts, { scenario }: Simulator): string {
  if (about !== undefined) return about.task.owner
  return scenario.auth.keys?.find((each) => mask(each.key) === key)?.key ?? key
}

function isMatch(sent: Sent | undefined, matches: (sent: Sent) => boolean): boolean {
  return sent !== undefined && matches(sent)
}

function isSame(sent: Sent, request: AnsweredRequest): boolean {
  if (sent.delivered !== request.delivered) return false
  if (request.delivered && sent.status !== request.status) return false
  const { what, name, field } = decisionOf(request) ?? {}
  // A directive may stand for the rule of a fault.
  const isRule = name === sent.decision?.name || sent.decision?.name === 'directive'
  return what === sent.decision?.what && isRule && field === sent.decision?.field
}

/** The steps with as many repetitions as were needed. */
function compacted(steps: readonly Step[], repeated: number): readonly Step[] {
  const last = steps.at(-1)
  if (last?.type !== 'send' || last.times === undefined) return steps
  const { times: _, ends: __, ...once } = last
  const before = repeated > 1 ? [{ ...last, times: repeated - 1 }] : []
  return [...steps.slice(0, -1), ...before, once]
}
