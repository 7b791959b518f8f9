import { answeredTask } from '../../dialects/answered-task.js'
import type { AnswerShape } from '../../dialects/dialect.js'
import type { Awaitable } from '../../engine/awaitable.js'
import type { RequestNote } from '../../engine/events.js'
import { parseJson } from '../../engine/json.js'
import { type Fault, isExecuted } from '../../engine/requests/fault.js'
import type { MatchedFault } from '../../engine/requests/fault-rules.js'
import { settableHeaders } from '../../engine/requests/settable-headers.js'
import { drawDelay } from '../../scenario/rules/draw-delay.js'
import { isDelivered, type Reply } from '../exchange/exchange.js'
import { alteredBody } from '../faults/altered-body.js'
import { faultContext } from '../faults/fault-context.js'
import { scriptedReply } from '../faults/scripted-reply.js'
import { type Pause, transmissionOf } from '../faults/transmission.js'
import type { Handler, ServiceExchange } from '../operation.js'
import { errors } from './errors.js'

/** Stands for a missing answer, with the status 0, as in fetch. */
const noAnswer = (): Reply => ({ status: 0, headers: {}, body: undefined })

/** Applies the fault of the directive, or of the first rule that matches, to the request. */
export function faults(exchange: ServiceExchange, next: Handler<ServiceExchange>): Awaitable<Reply> {
  const isFaultless = exchange.sim.requestPolicy.faults.isEmpty && exchange.directive?.fault === undefined
  return isFaultless ? next(exchange) : withFault(exchange, next)
}

async function withFault(exchange: ServiceExchange, next: Handler<ServiceExchange>): Promise<Reply> {
  const { sim, directive, note } = exchange
  const since = sim.requestPolicy.since(sim.clock.now())
  const matched = sim.requestPolicy.faults.match(await faultContext(exchange), since, directive?.fault)
  if (matched === undefined) return next(exchange)
  const reply = await faultyReply(matched, exchange, next)
  const isRejectedAnyway = note.cause !== undefined && matched.fault.status === undefined
  if (!isRejectedAnyway || !isDelivered(reply)) note.cause = { fault: matched.fault, rule: matched.rule }
  if (changesAnswer(matched.fault)) note.isAltered = true
  if (note.isAltered || !isDelivered(reply)) note.observed &&= tasksIn(reply, exchange.dialect.answers)
  return reply
}

/** Whether the client reads another answer, and not only the same one later. */
function changesAnswer({ status, patch, body, content_type: type }: Fault): boolean {
  return [status, patch, body, type].some((change) => change !== undefined)
}

async function faultyReply(
  { fault, rule, chance }: MatchedFault,
  exchange: ServiceExchange,
  next: Handler<ServiceExchange>,
): Promise<Reply> {
  const { sim, dialect, request } = exchange
  const pause: Pause = (milliseconds) => sim.pause(milliseconds, request.signal)
  exchange.fault = rule
  exchange.isStale = fault.stale === true
  const original = isExecuted(fault) ? await errors(exchange, next) : noAnswer()
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
  const { list } = shape
  const body = Object(parseJson(reply.body)) as Record<string, unknown>
  const page = body[list]
  return (Array.isArray(page) ? page : [body]).flatMap((item: unknown) => {
    const { id, status } = answeredTask(taskIn(Object(item), shape), shape)
    return id !== undefined && status !== undefined ? [{ id, status }] : []
  })
}

/** The task in an answer, which may be the whole answer. */
function taskIn(answer: Record<string, unknown>, { task: holder }: AnswerShape): Record<string, unknown> {
  const held = holder === undefined ? undefined : answer[holder]
  return typeof held === 'object' && held !== null ? Object(held) : answer
}
