import type { Call } from '../../dialects/call.js'
import { AnswerScope } from '../../dialects/table/answers/answer-scope.js'
import { rejectionChecker } from '../../dialects/table/answers/check-rejected.js'
import type { CreateOperation, EndedApi } from '../../dialects/table/dialect-table.generated.js'
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
import type { InputSummary } from '../../engine/tasks/input.js'
import { InputError } from '../../engine/tasks/kinds.js'
import type { Planner } from '../../engine/tasks/planner.js'
import type { Kind, Task } from '../../engine/tasks/task.js'
import type { NewTask } from '../../engine/tasks/task-factory.js'
import { inputProblem, invalid, Problem } from '../../exchange/problem.js'

/** What a create request asks for, before any check: fault rules also match requests that will be rejected. */
export interface Draft {
  readonly model: JsonValue | undefined
  readonly input: JsonValue | undefined
  /** The kind of the model, if the path decides it. */
  readonly kind: Kind | undefined
  /** The values in the templates of the operation. */
  readonly scope: RequestScope
  /** The ended API to which the model belongs. */
  readonly ended: EndedApi | undefined
  /** Why the client cannot see the task from which the request makes a new one. */
  readonly missingSource: Problem | undefined
}

/** A draft with the summary of its input, which is computed once. */
export interface SummarizedDraft extends Draft {
  readonly summary: InputSummary
}

/** What a create request orders, after all checks. */
export interface Order
  extends Pick<NewTask, 'model' | 'input' | 'options' | 'takesNearest' | 'webhookUrl' | 'kind' | 'extra'> {
  /** How many milliseconds to hold the answer until the task has ended. */
  readonly wait: number
  /** Whether a stream of the new task answers the request in place of the task. */
  readonly isStream: boolean
}

/** Reads the bodies of create requests: first {@link draft}, then {@link order}. */
export interface OrderReader {
  /** Whether a request may also be a form, whose files become the URLs of uploads. */
  readonly acceptsForms: boolean
  /** All fields that the service knows; any field if undefined. */
  readonly knownFields: readonly string[] | undefined
  /**
   * Reads what a body asks for, unchecked.
   * @param find finds a task that the client can see, or says why it cannot
   */
  draft(body: JsonObject, call: Call, find: (id: string) => Task | Problem): Draft
  /**
   * Checks what a body asks for.
   * @throws Problem if the service would reject the request
   */
  order(draft: Draft): Order
}

/** Reads orders as a table describes. */
export function orderReader(create: CreateOperation, endpoint: Endpoint): OrderReader {
  const { parameters, table } = endpoint
  const compiled = (template: JsonValue) => compileTemplate<RequestScope>(template, REQUEST_VALUES)
  const optional = (template: JsonValue | undefined) =>
    template === undefined ? undefined : compiled(template)
  const readModel = compiled(create.model ?? '{{body.model}}')
  const readInput = compiled(create.input ?? '{{body}}')
  const readKept = optional(create.keep)
  const readSource = optional(create.source)
  const readWait = optional(create.wait)
  const waits = compiled(create.wait_if ?? '{{true}}')
  const streams = compiled(create.stream_if ?? '{{true}}')
  const modelField = fieldOfBody(create.model ?? '') || 'model'
  const inputField = fieldOfBody(create.input ?? '') || 'input'
  const readWebhooks = webhookReader(table)
  const checkHeaders = chosenHeaderChecker(table, create)
  const checkFields = fieldChecker(create)
  const checkRejected = rejectionChecker(create.reject)
  const isOnlyCreate = table.operations.filter(({ action }) => action === 'create').length === 1
  const below = endpoint.path.slice((table.prefix ?? '').length)

  return {
    acceptsForms: create.from === 'form',
    knownFields: create.fields,
    draft(body, call, find) {
      const request = { body, call, parameters, source: undefined }
      const id = readSource?.(request)
      const found = typeof id === 'string' && id !== '' ? find(id) : undefined
      const missingSource = found instanceof Problem ? found : undefined
      const source = found instanceof Problem ? undefined : found
      const scope = source === undefined ? request : { ...request, source: sourceScope(source, call) }
      const model = readModel(scope)
      const hasEnds = table.ended !== undefined && typeof model === 'string'
      const ended = hasEnds ? endedApi(table, below, model) : undefined
      return { model, input: readInput(scope), kind: create.kind, scope, ended, missingSource }
    },
    order({ scope, kind, ended, missingSource, ...asked }) {
      const { body, call } = scope
      checkFields(body)
      checkRejected?.(scope)
      if (missingSource !== undefined) throw missingSource
      const model = checkedModel(call.sim, modelField, asked.model)
      const problem =
        ended && endedProblem(ended, call.sim, `the model ${model}`, { param: modelField, given: model })
      if (problem !== undefined) throw problem
      const { input } = asked
      if (!isJsonObject(input))
        throw invalid('field', inputField, input, "an object with the model's parameters")
      if (create.check_input) checkInput(call.sim.tasks.factory.planner, model, input)
      const webhooks = readWebhooks(scope)
      const kept = readKept?.(scope) ?? null
      checkHeaders?.({ kept, input })
      const extra = extraOf(call)
      if (create.keep !== undefined) extra['kept'] = kept
      if (table.object !== undefined) extra['object'] = table.object
      Object.assign(extra, webhooks.extra)
      return {
        model,
        input,
        options: mediaOptions(table, input),
        takesNearest: create.check_input !== true,
        kind,
        webhookUrl: webhooks.url,
        // Most tasks need none.
        extra: Object.keys(extra).length === 0 ? undefined : extra,
        wait: readWait !== undefined && waits(scope) === true ? waitOf(readWait(scope)) : 0,
        isStream: create.events !== undefined && isTrue(streams(scope)),
      }
    },
  }

  function sourceScope(source: Task, call: Call): AnswerScope {
    return new AnswerScope({ ...endpoint, table: tableOfTask(table, source) }, source, call)
  }

  /** Where a task was created, as far as it is not evident: answers and webhooks need it later. */
  function extraOf(call: Call): JsonObject {
    const { sim, request } = call
    const extra: JsonObject = {}
    const base = baseOf(call, endpoint)
    if (base !== sim.publicOrigin(request.origin)) extra['base'] = base
    if (!isOnlyCreate) extra['path'] = endpoint.path
    if (sim.identity !== undefined) extra['sandbox'] = sim.identity.id
    if (sim.partition !== undefined) extra['partition'] = sim.partition
    return extra
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

/**
 * Checks the input of a task, as the kind of its model requires.
 * @throws Problem 400 with the parameter
 */
function checkInput(planner: Planner, model: string, input: JsonObject): void {
  try {
    planner.check(model, input)
  } catch (error) {
    throw error instanceof InputError ? inputProblem(error) : error
  }
}
