import { type Awaitable, isPromise, yieldToEventLoop } from '../../engine/awaitable.js'
import type { JsonObject } from '../../engine/json.js'
import { summarizeInSteps, summarizeSync } from '../../engine/tasks/input.js'
import { isFormType, isLarge, readJsonObject } from '../json-body.js'
import type { OrderReader, ServiceExchange, ServiceOperation, SummarizedDraft } from '../operation.js'

/**
 * Reads what a create request asks for, before the steps that depend on it: {@link draftOf} returns it. It never fails,
 * because faults apply to a request whose body is invalid, too.
 * @returns a promise only if the body has not arrived, or is large
 */
export function readDraft(exchange: ServiceExchange, reader: OrderReader): Promise<void> | undefined {
  try {
    const json = readOrderBody(exchange)
    if (isPromise(json)) return readInSteps(json, exchange, reader)
    const draft = reader.draft(json, exchange)
    exchange.body.draft = { ...draft, summary: summarizeSync(draft.input ?? null) }
  } catch (problem) {
    exchange.body.problem = problem
  }
  return undefined
}

async function readInSteps(
  json: PromiseLike<JsonObject>,
  exchange: ServiceExchange,
  reader: OrderReader,
): Promise<void> {
  try {
    const draft = reader.draft(await json, exchange)
    if (isLarge(exchange)) await yieldToEventLoop()
    exchange.body.draft = { ...draft, summary: await summarizeInSteps(draft.input ?? null) }
  } catch (problem) {
    exchange.body.problem = problem
  }
}

/**
 * Reads which task a request names in its body. It never fails, for the same reason as {@link readDraft}: the operation
 * rejects the request if {@link checkRead} does.
 */
export async function readNamedTask(
  exchange: ServiceExchange,
  taskInBody: NonNullable<ServiceOperation['taskInBody']>,
): Promise<void> {
  try {
    exchange.namedTask = await taskInBody(exchange)
  } catch (problem) {
    exchange.body.problem = problem
  }
}

/** @throws Problem 400, 413, 415 or 503 if the body could not be read */
export function checkRead({ body: { problem } }: ServiceExchange): void {
  if (problem !== undefined) throw problem
}

/**
 * What a create request asks for, unchecked, once {@link readDraft} has read it.
 * @throws Problem 400, 413, 415 or 503 if its body could not be read
 */
export function draftOf({ body: { draft, problem } }: ServiceExchange): SummarizedDraft {
  if (draft === undefined) throw problem
  return draft
}

/**
 * Reads the body of a create request once for all callers: JSON or, if the service accepts that, a form.
 * @throws Problem 400, 413, 415 or 503
 */
export function readOrderBody(exchange: ServiceExchange): Awaitable<JsonObject> {
  const { operation, request, body } = exchange
  const acceptsForms = operation.reader?.acceptsForms === true
  if (!acceptsForms || !isFormType(request.header('content-type') ?? ''))
    return readJsonObject(exchange, acceptsForms)
  body.json ??= import('../uploads/read-form-order.js').then(({ readFormOrder }) => readFormOrder(exchange))
  return body.json
}
