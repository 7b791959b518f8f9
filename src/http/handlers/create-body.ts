import { type Awaitable, after, isPromise, yieldToEventLoop } from '../../engine/awaitable.js'
import type { JsonObject } from '../../engine/json.js'
import { summarizeInSteps, summarizeSync } from '../../engine/tasks/input.js'
import { isFormType, isLarge, readJsonObject } from '../json-body.js'
import type { ServiceExchange } from '../operation.js'
import type { Draft, OrderReader, SummarizedDraft } from './create-order.js'
import { visibleTask } from './one-task.js'

/**
 * Reads what a create request asks for, before the steps that depend on it: {@link draftOf} returns it. It never fails,
 * because faults apply to a request whose body is invalid, too.
 */
export function readDraft(exchange: ServiceExchange, reader: OrderReader): Awaitable<void> {
  const { body } = exchange
  const keep = (draft: SummarizedDraft) => {
    body.draft = draft
  }
  const fail = (problem: unknown) => {
    body.problem = problem
  }
  try {
    const draft = after(readOrderBody(exchange), (json) => {
      const draft = reader.draft(json, exchange, (id) => visibleTask(id, exchange))
      return isLarge(exchange) ? summarizedInSteps(draft) : summarized(draft)
    })
    return isPromise(draft) ? draft.then(keep, fail) : keep(draft)
  } catch (problem) {
    return fail(problem)
  }
}

/**
 * What a create request asks for, unchecked, once {@link readDraft} has read it.
 * @throws Problem 400, 413, 415 or 503 if its body could not be read
 */
export function draftOf({ body: { draft, problem } }: ServiceExchange): SummarizedDraft {
  if (draft === undefined) throw problem
  return draft
}

function summarized(draft: Draft): SummarizedDraft {
  return { ...draft, summary: summarizeSync(draft.input ?? null) }
}

async function summarizedInSteps(draft: Draft): Promise<SummarizedDraft> {
  await yieldToEventLoop()
  return { ...draft, summary: await summarizeInSteps(draft.input ?? null) }
}

/**
 * Reads the body of a create request once for all callers: JSON or, if the service accepts that, a form.
 * @throws Problem 400, 413, 415 or 503
 */
export function readOrderBody(exchange: ServiceExchange): Awaitable<JsonObject> {
  const { operation, request, body } = exchange
  if (operation.reader?.acceptsForms !== true || !isFormType(request.header('content-type') ?? ''))
    return readJsonObject(exchange)
  body.json ??= import('../uploads/read-form-order.js').then(({ readFormOrder }) => readFormOrder(exchange))
  return body.json
}
