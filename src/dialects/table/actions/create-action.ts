import { after } from '../../../engine/awaitable.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../engine/json.js'
import { headerValue, OF_BODY, whyNotSettable } from '../../../engine/requests/headers.js'
import { beforeStart } from '../../../engine/tasks/lifecycle.js'
import { isTerminal, type Task } from '../../../engine/tasks/task.js'
import { checkInput } from '../../../exchange/input-problem.js'
import { invalid, Problem } from '../../../exchange/problem.js'
import type { CreateAction } from '../../action.js'
import type { Call } from '../../call.js'
import { AnswerScope } from '../answers/answer-scope.js'
import { rejectionChecker } from '../answers/check-rejected.js'
import { taskAnswer } from '../answers/task-answer.js'
import { taskReply } from '../answers/task-reply.js'
import type { CreateOperation, DialectTable } from '../dialect-table.generated.js'
import { fieldChecker } from '../requests/check-present.js'
import { baseOf, type OperationPlace } from '../requests/operation-place.js'
import {
  fieldOfBody,
  REQUEST_VALUES,
  type RequestScope,
  sourceReader,
  waitOf,
} from '../requests/request-values.js'
import { apiSettings } from '../scenario-settings.js'
import { type ObjectTable, tableOfTask } from '../tasks/objects.js'
import { compileTemplate, isTrue, type Values } from '../template/compile.js'
import type { Template } from '../template/template.js'
import { webhookReader } from '../webhooks/webhook-order.js'
import { streamAction } from './streams/stream-action.js'

/** Creates tasks as a table describes. */
export function createAction(
  table: ObjectTable,
  create: CreateOperation,
  place: OperationPlace,
): CreateAction {
  const { parameters } = place
  const { kind, status = 200, fields, answer, wait, shows } = create
  const readModel = compileTemplate<RequestScope>(create.model ?? '{{body.model}}', REQUEST_VALUES)
  const readInput = compileTemplate<RequestScope>(create.input ?? '{{body}}', REQUEST_VALUES)
  const modelField = fieldOfBody(create.model ?? '') || 'model'
  const inputField = fieldOfBody(create.input ?? '') || 'input'
  const readKept = compileTemplate<RequestScope>(create.keep ?? null, REQUEST_VALUES)
  const readWebhooks = webhookReader(table)
  const checkHeaders = webhookHeaderChecker(table, create)
  const readWait = wait === undefined ? undefined : compileTemplate<RequestScope>(wait, REQUEST_VALUES)
  const waits = compileTemplate<RequestScope>(create.wait_if ?? '{{true}}', REQUEST_VALUES)
  const replyWith = (own?: Template) => taskReply(table, place, own)
  const usual = { status, reply: replyWith(answer), replyWith }
  const reply = taskAnswer(table, place, create, usual)
  // An answer that could have been held, but was not, shows the task that was created.
  const replyAtOnce = wait === undefined ? reply : taskAnswer(table, place, {}, usual)
  const source = create.source === undefined ? undefined : sourceReader(create.source, place)
  const scopeOf = (body: JsonObject, call: Call, task: Task | undefined): RequestScope => ({
    body,
    call,
    parameters,
    source: task && new AnswerScope(tableOfTask(table, task), call, task, place),
  })
  const checkFields = fieldChecker(create)
  const isOnlyCreate = table.operations.filter(({ action }) => action === 'create').length === 1
  const stream = create.events && streamAction(table, { events: create.events }, place)
  const streams = compileTemplate<RequestScope>(create.stream_if ?? '{{true}}', REQUEST_VALUES)
  const checkRejected = rejectionChecker(create.reject ?? [])
  return {
    operation: 'tasks.create',
    acceptsForms: create.from === 'form',
    source: source?.idIn,
    subject(body, call, task) {
      const scope = scopeOf(body, call, task)
      return { model: readModel(scope), input: readInput(scope), kind }
    },
    decode(body, call, task) {
      checkFields(body)
      const scope = scopeOf(body, call, task)
      checkRejected(scope)
      source?.check(scope)
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
        kind,
        webhookUrl: webhooks.url,
        // Most tasks need none.
        extra: Object.keys(extra).length === 0 ? undefined : extra,
        wait: readWait && waits(scope) === true ? waitOf(readWait(scope)) : undefined,
        stream: stream && isTrue(streams(scope)) ? stream : undefined,
        knownFields: fields,
      }
    },
    encode(task, call, isHeld) {
      const { create_status: own, hide_queue: hidesQueue } = apiSettings(table, call.sim.scenario)
      const answered = isHeld ? reply(task, call) : replyAtOnce(shownAtOnce(task, shows, hidesQueue), call)
      return own === undefined ? answered : after(answered, (given) => ({ ...given, status: own }))
    },
  }
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

/** The task as an answer shows it that does not wait for anything. */
function shownAtOnce(task: Task, shows: CreateOperation['shows'], hidesQueue = false): Task {
  if (hidesQueue && task.status !== 'processing') return { ...task, status: 'processing' }
  return shows === 'queued' && !isTerminal(task.status) ? beforeStart(task) : task
}

function checkedInput(input: JsonValue | undefined, field: string): JsonObject {
  if (isJsonObject(input)) return input
  throw invalid('field', field, input, "an object with the model's parameters")
}

const LONGEST_MODEL = 200

/**
 * The model of a task.
 * @param param the field or parameter that holds it
 * @throws Problem 400 or 404 if it is no text, or the scenario rejects models that it does not list
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
