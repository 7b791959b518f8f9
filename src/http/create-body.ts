import type { CreateAction, Subject } from '../dialects/action.js'
import { type Awaitable, after } from '../engine/awaitable.js'
import type { JsonObject } from '../engine/json.js'
import { type InputSummary, shortened, summarizeInput } from '../engine/tasks/input.js'
import type { Task } from '../engine/tasks/task.js'
import { isFormType, pauseIfLarge, readJsonObject } from './json-body.js'
import type { ServiceExchange } from './operation.js'
import { isOwn } from './own-task.js'

/**
 * Walks the `input` of a create request, once for all callers.
 * @returns a promise only if the body was not read before, or its input is large
 * @throws Problem 400, 413 or 415, as {@link readJsonObject} does
 */
export function surveyedInput(exchange: ServiceExchange): Awaitable<InputSummary> {
  exchange.survey ??= after(readSubject(exchange), ({ input = null }) =>
    after(pauseIfLarge(exchange), () => shortened(summarizeInput(input))),
  )
  return exchange.survey
}

/**
 * Reads the model and the input of a create request, unchecked.
 * @returns a promise only if the body was not read before
 * @throws Problem 400, 413 or 415, as {@link readJsonObject} does
 */
export function readSubject(exchange: ServiceExchange): Awaitable<Subject> {
  const { action } = exchange.operation
  if (action?.operation !== 'tasks.create') return NO_SUBJECT
  return after(readOrder(exchange), (body) =>
    action.subject(body, exchange, sourceOf(action, body, exchange)),
  )
}

const NO_SUBJECT: Subject = { model: undefined, input: undefined }

/**
 * The task from which a create request makes a new one.
 * @returns undefined if the request names none, or the client cannot see it
 */
export function sourceOf(
  { source }: CreateAction,
  body: JsonObject,
  exchange: ServiceExchange,
): Task | undefined {
  const id = source?.(body, exchange)
  const task = id === undefined ? undefined : exchange.sim.tasks.get(id)
  return task !== undefined && isOwn(task, exchange) ? task : undefined
}

/**
 * Reads the body of a create request once for all callers: JSON or, if the service accepts that, a form.
 * @returns a promise only if the body was not read before
 * @throws Problem 400, 413, 415 or 503
 */
export function readOrder(exchange: ServiceExchange): Awaitable<JsonObject> {
  const { action } = exchange.operation
  const acceptsForms = action?.operation === 'tasks.create' && action.acceptsForms === true
  if (!acceptsForms || !isFormType(exchange.request.header('content-type') ?? ''))
    return readJsonObject(exchange)
  exchange.json ??= import('./uploads/index.js').then(({ readFormOrder }) => readFormOrder(exchange))
  return exchange.json
}
