import type { Call } from '../../dialects/call.js'
import { AnswerScope } from '../../dialects/table/answers/answer-scope.js'
import { rejectionChecker } from '../../dialects/table/answers/check-rejected.js'
import type { CreateOperation, DialectTable } from '../../dialects/table/dialect-table.generated.js'
import { fieldChecker } from '../../dialects/table/requests/check-present.js'
import { mediaOptions } from '../../dialects/table/requests/media-options.js'
import { baseOf, type OperationPlace } from '../../dialects/table/requests/operation-place.js'
import {
  fieldOfBody,
  REQUEST_VALUES,
  type RequestScope,
  waitOf,
} from '../../dialects/table/requests/request-values.js'
import { tableOfTask } from '../../dialects/table/tasks/objects.js'
import { compileTemplate, isTrue, type Values } from '../../dialects/table/template/compile.js'
import { webhookReader } from '../../dialects/table/webhooks/webhook-order.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { headerValue, OF_BODY, whyNotSettable } from '../../engine/requests/headers.js'
import type { NewTask } from '../../engine/tasks/orders.js'
import type { Kind, Task } from '../../engine/tasks/task.js'
import { checkInput, invalid, Problem } from '../../exchange/problem.js'

/** The order of a task in a request. */
export interface Order
  extends Pick<NewTask, 'model' | 'input' | 'options' | 'takesNearest' | 'webhookUrl' | 'kind' | 'extra'> {
  /** How many milliseconds to hold the answer until the task has ended. */
  readonly wait: number
  /** Whether a stream of the new task answers the request in place of the task. */
  readonly isStream: boolean
}

/** What a create request asks for, unchecked. */
export interface Subject {
  readonly model: JsonValue | undefined
  readonly input: JsonValue | undefined
  /** The kind of the model, if the path decides it. */
  readonly kind?: Kind | undefined
}

/** Reads what the body of a create request orders. */
export interface OrderReader {
  /** Whether a request may also be a form, whose files become the URLs of uploads. */
  readonly acceptsForms: boolean
  /** All fields that the service knows; any field if undefined. */
  readonly knownFields: readonly string[] | undefined
  /**
   * Reads the id of another task from which the request makes a new one; undefined if it names none.
   * Undefined if no request does.
   */
  readonly sourceId: ((body: JsonObject, call: Call) => string | undefined) | undefined
  /**
   * Reads the model and the input, unchecked: fault rules also match requests that will be rejected.
   * @param source the task of `sourceId`, if the client can see it
   */
  subject(body: JsonObject, call: Call, source: Task | undefined): Subject
  /**
   * Reads and checks the order of a task.
   * @param source the task of `sourceId`, if the client can see it
   * @throws Problem if the service would reject the request
   */
  order(body: JsonObject, call: Call, source: Task | undefined): Order
}

/** Reads orders as a table describes. */
export function orderReader(create: CreateOperation, place: OperationPlace): OrderReader {
  const { parameters, table } = place
  const compiled = (template: JsonValue) => compileTemplate<RequestScope>(template, REQUEST_VALUES)
  const readModel = compiled(create.model ?? '{{body.model}}')
  const readInput = compiled(create.input ?? '{{body}}')
  const readKept = compiled(create.keep ?? null)
  const readSource = compiled(create.source ?? null)
  const readWait = compiled(create.wait ?? null)
  const waits = compiled(create.wait_if ?? '{{true}}')
  const streams = compiled(create.stream_if ?? '{{true}}')
  const modelField = fieldOfBody(create.model ?? '') || 'model'
  const inputField = fieldOfBody(create.input ?? '') || 'input'
  const readWebhooks = webhookReader(table)
  const checkHeaders = webhookHeaderChecker(table, create)
  const checkFields = fieldChecker(create)
  const checkRejected = rejectionChecker(create.reject)
  const isOnlyCreate = table.operations.filter(({ action }) => action === 'create').length === 1
  return {
    acceptsForms: create.from === 'form',
    knownFields: create.fields,
    sourceId: create.source === undefined ? undefined : sourceId,
    subject(body, call, source) {
      const scope = scopeOf(body, call, source)
      return { model: readModel(scope), input: readInput(scope), kind: create.kind }
    },
    order(body, call, source) {
      checkFields(body)
      const scope = scopeOf(body, call, source)
      checkRejected?.(scope)
      if (create.source !== undefined && source === undefined) checkSource(sourceId(body, call))
      const model = checkedModel(call.sim, modelField, readModel(scope))
      const input = checkedInput(readInput(scope), inputField)
      if (create.check_input) checkInput(call.sim.tasks.planner, model, input)
      const webhooks = readWebhooks(scope)
      const kept = readKept(scope) ?? null
      checkHeaders({ kept, input })
      const extra = {
        ...placeOf(call, place, isOnlyCreate),
        ...(create.keep && { kept }),
        ...(table.object !== undefined && { object: table.object }),
        ...webhooks.extra,
      }
      return {
        model,
        input,
        options: mediaOptions(table, input),
        takesNearest: create.check_input !== true,
        kind: create.kind,
        webhookUrl: webhooks.url,
        // Most tasks need none.
        extra: Object.keys(extra).length === 0 ? undefined : extra,
        wait: create.wait !== undefined && waits(scope) === true ? waitOf(readWait(scope)) : 0,
        isStream: create.events !== undefined && isTrue(streams(scope)),
      }
    },
  }

  function sourceId(body: JsonObject, call: Call): string | undefined {
    const id = readSource({ body, call, parameters })
    return typeof id === 'string' && id !== '' ? id : undefined
  }

  function scopeOf(body: JsonObject, call: Call, source: Task | undefined): RequestScope {
    if (source === undefined) return { body, call, parameters }
    const placeOfSource = { ...place, table: tableOfTask(table, source) }
    return { body, call, parameters, source: new AnswerScope(placeOfSource, source, call) }
  }
}

/** @throws Problem 404 if a request names a task that the client cannot see */
function checkSource(id: string | undefined): void {
  if (id === undefined) return
  throw new Problem('task_not_found', `There is no task ${id.slice(0, 100)} that this API key could see.`)
}

/** Where a task was created, as far as it is not evident: answers and webhooks need it later. */
function placeOf(call: Call, place: OperationPlace, isOnlyCreate: boolean): JsonObject {
  const { sim, request } = call
  const base = baseOf(call, place)
  return {
    ...(base !== sim.publicOrigin(request.origin) && { base }),
    ...(!isOnlyCreate && { path: place.path }),
    ...(sim.identity !== undefined && { sandbox: sim.identity.id }),
    ...(sim.partition !== undefined && { partition: sim.partition }),
  }
}

function checkedInput(input: JsonValue | undefined, field: string): JsonObject {
  if (isJsonObject(input)) return input
  throw invalid('field', field, input, "an object with the model's parameters")
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
  if (sim.scenario.api.unknown_models === 'reject' && !sim.tasks.planner.lists(model)) {
    const message = `There is no model ${JSON.stringify(model)}. Use one that the scenario lists under \`models\`.`
    throw new Problem('model_not_found', message, { param, given: model })
  }
  return model
}

/** What is known of a task before it is created. */
interface OrderScope {
  readonly kept: JsonValue | undefined
  readonly input: JsonValue | undefined
}

const ORDER_VALUES = { kept: ({ kept }) => kept, input: ({ input }) => input } satisfies Values<OrderScope>
const LONGEST_SHOWN = 100

/**
 * Returns a function that checks the headers of webhooks whose names a create request chooses.
 * @throws Problem 400 from the function, if a webhook may not have such a header
 */
function webhookHeaderChecker(
  { webhook }: DialectTable,
  { keep }: Pick<CreateOperation, 'keep'>,
): (order: OrderScope) => void {
  const chosen = Object.entries(webhook?.headers ?? {}).filter(([name]) => name.includes('{{'))
  const headers = chosen.map(([name, value]) => ({
    name: { read: compileTemplate<OrderScope>(name, ORDER_VALUES), field: fieldOf(name, keep) },
    value: { read: compileTemplate<OrderScope>(value, ORDER_VALUES), field: fieldOf(value, keep) },
  }))
  return (order) => {
    for (const { name, value } of headers) {
      checkName(name.read(order), name.field)
      checkValue(value.read(order), value.field)
    }
  }
}

/** The field of the body that decides a template. */
function fieldOf(template: JsonValue, keep: JsonObject | undefined): string {
  const [, source, name = ''] = /\{\{\s*(kept|input)\.(\w+)/.exec(JSON.stringify(template)) ?? []
  return (source === 'kept' ? fieldOfBody(keep?.[name] ?? '') : name) || 'webhook'
}

function checkName(name: JsonValue | undefined, param: string): void {
  if (name === undefined || name === null) return
  if (typeof name !== 'string') throw invalid('field', param, name, 'the name of a header')
  const reason = whyNotSettable(name, OF_BODY)
  if (reason === undefined) return
  const shown = JSON.stringify(name.slice(0, LONGEST_SHOWN))
  throw new Problem('invalid_request', `The field \`${param}\`: got ${shown}; ${reason}.`, { param })
}

/** The message does not contain the value, which may be a secret. */
function checkValue(value: JsonValue | undefined, param: string): void {
  if (typeof value !== 'string' || headerValue(value) === value) return
  const message = `The field \`${param}\` must be the value of a header: at most 8,000 characters of printable ASCII. Encode the value, for example with encodeURIComponent.`
  throw new Problem('invalid_request', message, { param })
}
