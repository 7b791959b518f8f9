import { yieldToEventLoop } from '../../engine/awaitable.js'
import type { JsonObject } from '../../engine/json.js'
import { shortened, summarizeInput } from '../../engine/tasks/input.js'
import { isFormType, isLarge, readJsonObject } from '../json-body.js'
import { missingTask } from '../missing-task.js'
import type { ServiceExchange } from '../operation.js'
import type { OrderReader, SummarizedDraft } from './create-order.js'
import { visibleTask } from './one-task.js'

/**
 * Reads what a create request asks for, unchecked and once for all callers.
 * @throws Problem 400, 413, 415 or 503
 */
export function readDraft(exchange: ServiceExchange, reader: OrderReader): Promise<SummarizedDraft> {
  exchange.body.draft ??= draftOf(exchange, reader)
  return exchange.body.draft
}

async function draftOf(exchange: ServiceExchange, reader: OrderReader): Promise<SummarizedDraft> {
  const body = await readOrderBody(exchange)
  const draft = reader.draft(body, exchange, (id) => visibleTask(id, exchange) ?? missingTask(id, exchange))
  if (isLarge(exchange)) await yieldToEventLoop()
  return { ...draft, summary: await shortened(summarizeInput(draft.input ?? null)) }
}

/**
 * Reads the body of a create request once for all callers: JSON or, if the service accepts that, a form.
 * @throws Problem 400, 413, 415 or 503
 */
export async function readOrderBody(exchange: ServiceExchange): Promise<JsonObject> {
  const { operation, request } = exchange
  if (operation.reader?.acceptsForms !== true || !isFormType(request.header('content-type') ?? ''))
    return readJsonObject(exchange)
  exchange.body.json ??= import('../uploads/read-form-order.js').then(({ readFormOrder }) =>
    readFormOrder(exchange),
  )
  return exchange.body.json
}
