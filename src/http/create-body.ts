import type { JsonObject } from '../engine/json.js'
import { type InputSummary, shortened, summarizeInput } from '../engine/tasks/input.js'
import type { Task } from '../engine/tasks/task.js'
import type { OrderReader, Subject } from './handlers/create-order.js'
import { visibleTask } from './handlers/one-task.js'
import { isFormType, pauseIfLarge, readJsonObject } from './json-body.js'
import type { ServiceExchange } from './operation.js'

/**
 * Summarizes the `input` of a create request, once for all callers.
 * @throws Problem 400, 413 or 415, as {@link readJsonObject} does
 */
export function summarizedInput(exchange: ServiceExchange): Promise<InputSummary> {
  exchange.summary ??= summaryOf(exchange)
  return exchange.summary
}

async function summaryOf(exchange: ServiceExchange): Promise<InputSummary> {
  const { input = null } = await readSubject(exchange)
  await pauseIfLarge(exchange)
  return shortened(summarizeInput(input))
}

/**
 * Reads the model and the input of a create request, unchecked.
 * @throws Problem 400, 413 or 415, as {@link readJsonObject} does
 */
export async function readSubject(exchange: ServiceExchange): Promise<Subject> {
  const { reader } = exchange.operation
  if (reader === undefined) return { model: undefined, input: undefined }
  const body = await readOrderBody(exchange)
  return reader.subject(body, exchange, sourceOf(reader, body, exchange))
}

/**
 * The task from which a create request makes a new one.
 * @returns undefined if the request names none, or the client cannot see it
 */
export function sourceOf(reader: OrderReader, body: JsonObject, exchange: ServiceExchange): Task | undefined {
  const id = reader.sourceId?.(body, exchange)
  return id === undefined ? undefined : visibleTask(id, exchange)
}

/**
 * Reads the body of a create request once for all callers: JSON or, if the service accepts that, a form.
 * @throws Problem 400, 413, 415 or 503
 */
export async function readOrderBody(exchange: ServiceExchange): Promise<JsonObject> {
  const { operation, request } = exchange
  if (operation.reader?.acceptsForms !== true || !isFormType(request.header('content-type') ?? ''))
    return readJsonObject(exchange)
  exchange.json ??= import('./uploads/read-form-order.js').then(({ readFormOrder }) =>
    readFormOrder(exchange),
  )
  return exchange.json
}
