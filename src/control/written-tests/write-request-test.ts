import type { Dialect } from '../../dialects/dialect.js'
import type { AnsweredRequest } from '../../engine/events.js'
import { isJsonObject, type JsonValue, parseJson } from '../../engine/json.js'
import { javascript } from '../code/javascript.js'
import { decisionOf } from '../journal/decision.js'
import type { DryRun } from './dry-run.js'
import type { TestPlan } from './test-plan.js'
import { writeFile } from './write-file.js'
import { writeSteps } from './write-steps.js'

/** Writes the test of a request from a plan that was carried out. */
export function writeRequestTest({
  plan,
  run,
  request,
  dialect,
}: {
  readonly plan: TestPlan
  readonly run: DryRun
  readonly request: AnsweredRequest
  readonly dialect: Dialect | undefined
}): string {
  const sent = run.sent.at(-1)
  const lines = [
    ...writeSteps(plan, run, dialect, true),
    ...(request.delivered ? expectedResponse(request, sent?.body) : []),
    ...expectedDecision(sent?.decision),
  ]
  return writeFile({ plan, title: titleOf(request), lines })
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
