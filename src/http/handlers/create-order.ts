import type { Call } from '../../dialects/call.js'
import { AnswerScope } from '../../dialects/table/answers/answer-scope.js'
import { rejectionChecker } from '../../dialects/table/answers/check-rejected.js'
import type { CreateOperation } from '../../dialects/table/dialect-table.generated.js'
import { endedApi, endedProblem } from '../../dialects/table/ended.js'
import { fieldChecker } from '../../dialects/table/requests/check-present.js'
import { baseOf, type Endpoint } from '../../dialects/table/requests/endpoint.js'
import { mediaOptions } from '../../dialects/table/requests/media-options.js'
import {
  fieldOfBody,
  REQUEST_VALUES,
  type RequestScope,
  waitOf,
} from '../../dialects/table/requests/request-values.js'
import { tableOfTask } from '../../dialects/table/tasks/objects.js'
import { compileTemplate, isTrue } from '../../dialects/table/template/compile.js'
import { chosenHeaderChecker } from '../../dialects/table/webhooks/chosen-headers.js'
import { webhookReader } from '../../dialects/table/webhooks/webhook-order.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import type { Task } from '../../engine/tasks/task.js'
import { invalid, Problem } from '../../exchange/problem.js'
import { missingTask } from '../missing-task.js'
import type { Draft, Order, OrderReader } from '../operation.js'
import { visibleTask } from './one-task.js'

/** Reads orders as a table describes. */
export function orderReader(create: CreateOperation, endpoint: Endpoint): OrderReader {
  return {
    acceptsForms: create.from === 'form',
    knownFields: create.fields,
    draft: draftReader(create, endpoint),
    order: orderChecker(create, endpoint),
  }
}

function draftReader(create: CreateOperation, endpoint: Endpoint): OrderReader['draft'] {
  const { parameters, table } = endpoint
  const readModel = compiled(create.model ?? '{{body.model}}')
  const readInput = compiled(create.input ?? '{{body}}')
  const readSource = create.source === undefined ? undefined : compiled(create.source)
  const below = endpoint.path.slice((table.prefix ?? '').length)
  return (body, exchange) => {
    const request = { body, call: exchange, parameters, source: undefined }
    const id = readSource?.(request)
    const isNamed = typeof id === 'string' && id !== ''
    const source = isNamed ? visibleTask(id, exchange) : undefined
    const missingSource = isNamed && source === undefined ? missingTask(id, exchange) : undefined
    const scope =
      source === undefined ? request : { ...request, source: sourceScope(source, exchange, endpoint) }
    const model = readModel(scope)
    const hasEnds = table.ended !== undefined && typeof model === 'string'
    const ended = hasEnds ? endedApi(table, below, model) : undefined
    return { model, input: readInput(scope), kind: create.kind, scope, ended, missingSource }
  }
}

function orderChecker(create: CreateOperation, endpoint: Endpoint): OrderReader['order'] {
  const { table } = endpoint
  const check = draftChecker(create)
  const readKept = create.keep === undefined ? undefined : compiled(create.keep)
  const readWait = waitOfOrder(create)
  const streams = compiled(create.stream_if ?? '{{true}}')
  const readWebhooks = webhookReader(table)
  const checkHeaders = chosenHeaderChecker(table, create)
  const isOnlyCreate = table.operations.filter(({ action }) => action === 'create').length === 1
  return (draft) => {
    const { scope, kind } = draft
    const { model, input } = check(draft)
    const webhooks = readWebhooks(scope)
    const kept = readKept?.(scope) ?? null
    checkHeaders?.({ kept, input })
    const extra: JsonObject = {
      ...whereCreated(scope.call, endpoint, isOnlyCreate),
      ...(readKept !== undefined && { kept }),
      ...(table.object !== undefined && { object: table.object }),
      ...webhooks.extra,
    }
    return {
      model,
      input,
      options: table.options && mediaOptions(table.options, input),
      takesNearest: create.check_input !== true,
      kind,
      webhookUrl: webhooks.url,
      // Most tasks need none.
      extra: Object.keys(extra).length === 0 ? undefined : extra,
      wait: readWait?.(scope) ?? 0,
      isStream: create.events !== undefined && isTrue(streams(scope)),
    }
  }
}

/** Checks the fields, the model and the input of a draft, in this order. */
function draftChecker(create: CreateOperation): (draft: Draft) => Pick<Order, 'model' | 'input'> {
  const modelField = fieldOfBody(create.model ?? '') || 'model'
  const inputField = fieldOfBody(create.input ?? '') || 'input'
  const checkFields = fieldChecker(create)
  const checkRejected = rejectionChecker(create.reject)
  return ({ scope, ended, missingSource, input, model: given }) => {
    const { sim } = scope.call
    checkFields(scope.body)
    checkRejected?.(scope)
    if (missingSource !== undefined) throw missingSource
    const model = checkedModel(sim, modelField, given)
    const problem =
      ended && endedProblem(ended, sim, `the model ${model}`, { param: modelField, given: model })
    if (problem !== undefined) throw problem
    if (!isJsonObject(input))
      throw invalid('field', inputField, input, "an object with the model's parameters")
    if (create.check_input) sim.tasks.factory.planner.check(model, input)
    return { model, input }
  }
}

function compiled(template: JsonValue): (scope: RequestScope) => JsonValue | undefined {
  return compileTemplate<RequestScope>(template, REQUEST_VALUES)
}

/** Reads for how many milliseconds a request lets the service hold its answer; undefined if it never does. */
function waitOfOrder({
  wait,
  wait_if: waitIf,
}: CreateOperation): ((scope: RequestScope) => number) | undefined {
  if (wait === undefined) return undefined
  const read = compiled(wait)
  const waits = compiled(waitIf ?? '{{true}}')
  return (scope) => (isTrue(waits(scope)) ? waitOf(read(scope)) : 0)
}

function sourceScope(source: Task, call: Call, endpoint: Endpoint): AnswerScope {
  return new AnswerScope({ ...endpoint, table: tableOfTask(endpoint.table, source) }, source, call)
}

/** Where a task is created, as far as it is not evident: answers and webhooks need it later. */
function whereCreated(call: Call, endpoint: Endpoint, isOnlyCreate: boolean): JsonObject {
  const { sim, request } = call
  const base = baseOf(call, endpoint)
  return {
    ...(base !== sim.publicOrigin(request.origin) && { base }),
    ...(!isOnlyCreate && { path: endpoint.path }),
    ...(sim.identity !== undefined && { sandbox: sim.identity.id }),
    ...(sim.partition !== undefined && { partition: sim.partition }),
  }
}

const LONGEST_MODEL = 200

/**
 * The model of a task.
 * @param param the field or parameter that holds it
 * @throws Problem 400 or 404 if it is not a string, or the scenario rejects models that it does not list
 */
function checkedModel(
  sim: Pick<Call['sim'], 'scenario' | 'tasks'>,
  param: string,
  model: JsonValue | undefined,
): string {
  if (typeof model !== 'string' || model === '' || model.length > LONGEST_MODEL) {
    throw invalid(
      'field',
      param,
      model,
      `a string of 1 to ${LONGEST_MODEL} characters, such as "provider/model-name"`,
    )
  }
  if (sim.scenario.api.unknown_models === 'reject' && !sim.tasks.factory.planner.lists(model)) {
    const message = `There is no model ${JSON.stringify(model)}. Use one that the scenario lists under \`models\`.`
    throw new Problem('model_not_found', message, { param, given: model })
  }
  return model
}
