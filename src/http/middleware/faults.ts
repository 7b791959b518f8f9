import { clientNow } from '../../engine/clock/system-clock.js'
import type { PlanOverride } from '../../engine/directive/directive.js'
import type { Visit, VisitedRequest } from '../../engine/exploration/visit.js'
import { isJsonObject, parseJson } from '../../engine/json.js'
import { Chance } from '../../engine/random.js'
import type { RequestNote } from '../../engine/requests/answered-request.js'
import { type Fault, isExecuted } from '../../engine/requests/fault.js'
import type { FaultContext, MatchedFault } from '../../engine/requests/fault-rules.js'
import { settableHeaders } from '../../engine/requests/headers.js'
import type { OperationName } from '../../engine/requests/operations.js'
import { retryAfter } from '../../engine/requests/retry-after.js'
import { drawDelay } from '../../engine/scenario/delay.js'
import { type AnswerShape, answeredTask, answeredTasks } from '../../engine/tasks/answered-task.js'
import { isDelivered, type Reply } from '../../exchange/exchange.js'
import { codeOf } from '../../exchange/problem.js'
import { alteredBody, withChanges } from '../faults/altered-body.js'
import { type Pause, transmissionOf } from '../faults/transmission.js'
import type { Exchange, ServiceExchange, ServiceHandler } from '../operation.js'
import { rejectionReply, withoutErrors } from '../rejection.js'

/** Stands for a missing answer, with the status 0, as in fetch. */
const noAnswer = (): Reply => ({ status: 0, headers: {}, body: undefined })

/** Applies the fault of the directive, or of the first rule that matches, to the request. */
export async function withFault(exchange: ServiceExchange, run: ServiceHandler): Promise<Reply> {
  const { sim, directive, note } = exchange
  const since = sim.requestPolicy.since(sim.clock.now())
  const context = faultContext(exchange)
  const visit = sim.exploring.current?.visit(visitOf(exchange, context))
  if (visit !== undefined) note.place = visit.place
  // The rules count all requests, also those with a deviation.
  const byRule = sim.requestPolicy.faults.match(context, since, directive?.fault)
  const matched = visit?.deviation === undefined ? byRule : deviating(visit.deviation)
  const answer = visit === undefined ? run : (exchange: ServiceExchange) => visitedReply(exchange, run, visit)
  if (matched === undefined) return answer(exchange)
  const reply = await faultyReply(matched, exchange, answer)
  const isRejectedAnyway = note.cause !== undefined && matched.fault.status === undefined
  if (!isRejectedAnyway || !isDelivered(reply)) note.cause = { fault: matched.fault, rule: matched.rule }
  if (changesAnswer(matched.fault)) note.isAltered = true
  if (note.isAltered || !isDelivered(reply)) note.observed &&= tasksIn(reply, exchange.dialect.answers)
  return reply
}

/** The random draws of deviations have constants in their place. */
function deviating({ id, fault }: NonNullable<Visit['deviation']>): MatchedFault {
  const { status } = fault
  const message = `The service answers ${status} because of the deviation ${id}.`
  return { fault: status === undefined ? fault : { message, ...fault }, rule: id, chance: Chance.of(id) }
}

/** The request as an exploration sees it. */
function visitOf(exchange: ServiceExchange, { task }: FaultContext): VisitedRequest {
  const { sim, dialect, operation, key, namedTask = '' } = exchange
  const visited = { operation: operation.id, dialect: dialect.name }
  if (operation.id === 'tasks.create') return { ...visited, order: task }
  if (operation.id === 'tasks.list')
    return { ...visited, listed: [...sim.tasks.all()].filter(({ owner }) => owner === key) }
  const file = operation.id === 'files.download' ? fileIndex(exchange) : undefined
  return { ...visited, task: task && sim.tasks.get(namedTask), file }
}

/**
 * The index of the requested file: in our own URLs it is a part of the path, in those of services perhaps a parameter.
 */
function fileIndex({ params, request }: ServiceExchange): number {
  const inPath = /^\d+(?=\.|$)/.exec(params.at(-1) ?? '')?.[0]
  return Number(inPath ?? /(?:^|&)index=(\d+)/.exec(request.query)?.[1] ?? 0)
}

/** Answers a request as an exploration changes the task in it. */
async function visitedReply(exchange: ServiceExchange, run: ServiceHandler, visit: Visit): Promise<Reply> {
  const { note, dialect, directive } = exchange
  if (visit.plan !== undefined) {
    const { plan = NO_OVERRIDE, fault, webhookFault } = directive ?? {}
    exchange.directive = { fault, webhookFault, plan: { ...plan, ...visit.plan } }
  }
  const reply = await run(exchange)
  const patched = withChanges(reply, visit.changes, dialect.answers)
  if (patched === reply) return reply
  note.isAltered = true
  note.observed = tasksIn(patched, dialect.answers)
  return patched
}

const NO_OVERRIDE: PlanOverride = { outcome: undefined, error: {}, end: undefined, cost: undefined }

/** Whether the client reads another answer, and not only the same one later. */
function changesAnswer({ status, patch, body, content_type: type }: Fault): boolean {
  return [status, patch, body, type].some((change) => change !== undefined)
}

async function faultyReply(
  { fault, rule, chance }: MatchedFault,
  exchange: ServiceExchange,
  run: ServiceHandler,
): Promise<Reply> {
  const { sim, dialect, request } = exchange
  const pause: Pause = (milliseconds) => sim.time.pause(milliseconds, request.signal)
  exchange.fault = { rule, showsStale: fault.stale === true }
  const original = isExecuted(fault) ? await withoutErrors(exchange, run) : noAnswer()
  if (fault.delay !== undefined) await pause(drawDelay(fault.delay, () => chance.stream('fault delay')))
  const reply = fault.status === undefined ? original : scriptedReply(fault, fault.status, exchange)
  const altered = alteredBody(reply, fault, dialect.answers)
  const headers = { ...altered.headers, ...lowerCased(fault.headers) }
  const { transmission, ...rest } = altered
  const isStream = transmission !== undefined && rest.body === undefined
  return { ...rest, headers, ...(isStream && { transmission }), ...transmissionOf(altered, fault, pause) }
}

function lowerCased(headers: Fault['headers'] = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settableHeaders(headers)).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

/** The states of tasks that the client reads in a faulty reply. */
function tasksIn(reply: Reply, shape: AnswerShape): NonNullable<RequestNote['observed']> {
  if (!isDelivered(reply) || typeof reply.body !== 'string') return []
  return answeredTasks(Object(parseJson(reply.body)), shape).flatMap((task) => {
    const { id, status } = answeredTask(task, shape)
    return id !== undefined && status !== undefined ? [{ id, status }] : []
  })
}

const NO_TASK = { task: undefined, subject: undefined }

/** Collects the properties of a request that fault rules match. */
function faultContext(exchange: ServiceExchange): FaultContext {
  const { sim, dialect, request, key, params, namedTask: id = '', operation } = exchange
  const common = { operation: operation.id, method: request.method, dialect: dialect.name, key }
  if (operation.reader !== undefined) return { ...common, ...requestedTask(exchange) }
  if (operation.id === 'tasks.list') return { ...common, ...NO_TASK, identity: `${key}\0${request.query}` }
  if (isAboutUploads(operation.id)) return { ...common, ...NO_TASK, identity: `${key}\0${request.path}` }
  const found = sim.tasks.get(id)
  const needsKey = operation.authenticated && operation.id !== 'files.download'
  const task = needsKey && found?.owner !== key ? undefined : found
  // The identity seeds the draws of the fault, so it omits parts that may change, such as the extension of a file.
  const file = operation.id === 'files.download' ? (params.at(-1) ?? '') : ''
  const identity = `${id}\0${file.replace(/\..*/, '')}`
  return { ...common, key: task?.owner ?? key, task, subject: id, identity }
}

function isAboutUploads(operation: OperationName): boolean {
  return operation.startsWith('files.') && operation !== 'files.download'
}

type TaskContext = Pick<FaultContext, 'task' | 'subject' | 'identity'>

/** The task that a create request asks for, unless its body is invalid. */
function requestedTask({ sim, key, body: { draft } }: ServiceExchange): TaskContext {
  const { model, input, kind, summary } = draft ?? {}
  if (summary === undefined || typeof model !== 'string' || !isJsonObject(input))
    return { ...NO_TASK, identity: key }
  const identity = `${key}\0${model}\0${summary.canonical}`
  // A hash, because the input may be long and each rule may store the subject.
  const subject = String(Chance.of(identity).fingerprint)
  return {
    task: { model, kind: kind ?? sim.tasks.factory.planner.kindOf(model, input), input },
    subject,
    identity,
  }
}

/** The rejection that replaces an answer because of a fault. */
function scriptedReply(fault: Fault, status: number, exchange: Exchange): Reply {
  const { sim, directive } = exchange
  const { code = codeOf(status) } = fault
  const source = directive?.fault === undefined ? 'scenario' : 'directive in the request'
  if (status < 400) return { status, headers: { location: sameUrl(exchange) }, body: undefined }
  const { message = `The service answers ${status} because the ${source} says so.` } = fault
  const headers = fault.retry_after === undefined ? {} : retryAfter(fault.retry_after, clientNow(sim.clock))
  const rejection = { status, code, message, param: undefined, headers, ownCode: fault.code }
  return rejectionReply(rejection, exchange)
}

/** A redirect leads to the same URL, relative to it: on a host, the service may have another path than here. */
function sameUrl({ request: { path, query } }: Exchange): string {
  return `./${path.slice(path.lastIndexOf('/') + 1)}${query === '' ? '' : `?${query}`}`
}
