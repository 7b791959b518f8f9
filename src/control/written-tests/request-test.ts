import { isJsonObject, type JsonValue, parseJson } from '../../engine/json.js'
import { mask } from '../../engine/mask.js'
import type { AnsweredRequest } from '../../engine/requests/answered-request.js'
import type { Entry, RequestEntry } from '../../inspect/journal/entry.js'
import type { Simulator } from '../../simulator/simulator.js'
import { javascript } from '../code/literal.js'
import { decisionOf } from '../journal/entry-shape.js'
import { dialectOfRequest } from '../journal/requests.js'
import { dryRun, type Sent } from './dry-run.js'
import { type RequestPlanParts, requestPlans, type TaskHistory } from './request-plans.js'
import { scenarioInForce } from './scenario-in-force.js'
import { CANCELS, requestsAbout } from './task-plans.js'
import type { Step } from './test-plan.js'
import { writeFile } from './write-file.js'
import { writeSteps } from './write-steps.js'

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
  for (const plan of requestPlans(parts, given)) {
    const first = await dryRun(plan, sim.dialects, (sent) => isSame(sent, request)).catch(() => undefined)
    if (first === undefined || !isSame(first.sent.at(-1), request)) continue
    const compact = { ...plan, steps: compacted(plan.steps, first.repeated) }
    const run = await dryRun(compact, sim.dialects)
    const sent = run.sent.at(-1)
    if (!isSame(sent, request)) continue
    const lines = [
      ...writeSteps(compact, run, parts.dialect, true),
      ...(request.delivered ? expectedResponse(request, sent?.body) : []),
      ...expectedDecision(sent?.decision),
    ]
    return writeFile({ plan: compact, title: titleOf(request), lines })
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

function isSame(sent: Sent | undefined, request: AnsweredRequest): boolean {
  if (sent === undefined || sent.delivered !== request.delivered) return false
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

function titleOf(request: AnsweredRequest): string {
  const { method, path, status, delivered } = request
  const { what, name, field } = decisionOf(request) ?? {}
  const reason =
    what === undefined ? '' : `: ${[what.replaceAll('_', ' '), name ?? field].filter(Boolean).join(' ')}`
  return `${method} ${path} gets ${delivered ? status : 'no whole answer'}${reason}`
}

function expectedDecision(decision: ReturnType<typeof decisionOf>): string[] {
  if (decision === undefined) return []
  const { what, name, field } = decision
  return [
    "const [request] = (await sim.control.journal.list({ type: 'request', limit: 1 })).data",
    `expect(request).toMatchObject(${javascript({ decided_by: { what, name, field } })})`,
  ]
}

/** The longest body of a response that a test compares. */
const MAX_BODY = 2_000

function expectedResponse({ id, status, note }: AnsweredRequest, body = ''): string[] {
  const expected = [`expect(response.status).toBe(${status})`]
  const { responseBody = '' } = note
  if (status < 400 || body.length > MAX_BODY) return expected
  const common = commonPart(parseJson(body), parseJson(responseBody), id)
  if (!isJsonObject(common)) return expected
  return [...expected, `expect(await response.json()).toMatchObject(${javascript(common)})`]
}

/**
 * The part of a body that two answers share. Only such values do not change from request to request.
 * @param id of a request, which changes
 */
function commonPart(one: unknown, other: unknown, id: string): JsonValue | undefined {
  if (Array.isArray(one) && Array.isArray(other)) {
    const parts = one.map((each, index) => commonPart(each, other[index], id))
    const isWhole = one.length === other.length && parts.every((part) => part !== undefined)
    return isWhole ? (parts as JsonValue[]) : undefined
  }
  if (isJsonObject(one) && isJsonObject(other)) {
    const members = Object.entries(one).map(
      ([name, each]) => [name, commonPart(each, other[name], id)] as const,
    )
    const shared = members.filter(([, each]) => each !== undefined)
    return shared.length === 0 ? undefined : (Object.fromEntries(shared) as JsonValue)
  }
  if (one !== other || (typeof one === 'string' && one.includes(id))) return undefined
  return typeof one === 'object' && one !== null ? undefined : (one as JsonValue)
}
