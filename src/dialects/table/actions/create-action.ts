import { isJsonObject, type JsonObject, type JsonValue } from '../../../engine/json.js'
import { beforeStart } from '../../../engine/progress/past-task.js'
import { isTerminal, type Task } from '../../../engine/tasks/task.js'
import { invalid } from '../../../http/exchange/problem.js'
import type { CreateAction } from '../../action.js'
import type { Call } from '../../call.js'
import { checkedModel } from '../../checked-model.js'
import { AnswerScope } from '../answers/answer-scope.js'
import { rejectionChecker } from '../answers/check-rejected.js'
import { taskAnswer } from '../answers/task-answer.js'
import { taskReply } from '../answers/task-reply.js'
import type { DialectTable } from '../model/dialect-table.js'
import type { CreateTable } from '../model/operation-table.js'
import { baseOf } from '../requests/base-of.js'
import { fieldChecker } from '../requests/check-present.js'
import { fieldOfBody } from '../requests/field-of-body.js'
import type { OperationPlace } from '../requests/operation-place.js'
import { REQUEST_VALUES, type RequestScope } from '../requests/request-values.js'
import { sourceReader } from '../requests/source-task.js'
import { waitOf } from '../requests/wait-of.js'
import { tableOfTask } from '../tasks/objects.js'
import { compileTemplate, isTrue } from '../template/compile.js'
import type { Template } from '../template/template.js'
import { webhookHeaderChecker } from '../webhooks/check-headers.js'
import { webhookReader } from '../webhooks/webhook-order.js'
import { streamAction } from './streams/stream-action.js'

/** Creates tasks as a table describes. */
export function createAction(table: DialectTable, create: CreateTable, place: OperationPlace): CreateAction {
  const { parameters } = place
  const { kind, status = 200, fields, answer, wait, shows } = create
  const readModel = compileTemplate<RequestScope>(create.model ?? '{{body.model}}', REQUEST_VALUES)
  const readInput = compileTemplate<RequestScope>(create.input ?? '{{body}}', REQUEST_VALUES)
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
      const webhooks = readWebhooks(scope)
      const model = checkedModel(call.sim, fieldOfBody(create.model ?? '') || 'model', readModel(scope))
      const input = checkedInput(readInput(scope), fieldOfBody(create.input ?? ''))
      const kept = readKept(scope) ?? null
      checkHeaders({ kept, input })
      return {
        model,
        input,
        kind,
        webhookUrl: webhooks.url,
        extra: {
          base: baseOf(call, place),
          path: place.path,
          sandbox: call.sim.identity?.id ?? null,
          ...(call.sim.partition !== undefined && { partition: call.sim.partition }),
          kept,
          ...(table.object !== undefined && { object: table.object }),
          ...webhooks.extra,
        },
        wait: readWait && waits(scope) === true ? waitOf(readWait(scope)) : undefined,
        stream: stream && isTrue(streams(scope)) ? stream : undefined,
        knownFields: fields,
      }
    },
    encode(task, call, isHeld) {
      if (isHeld) return reply(task, call)
      const isShownQueued = shows === 'queued' && !isTerminal(task.status)
      return replyAtOnce(isShownQueued ? beforeStart(task) : task, call)
    },
  }
}

function checkedInput(input: JsonValue | undefined, field: string): JsonObject {
  if (isJsonObject(input)) return input
  throw invalid('field', field || 'input', input, "an object with the model's parameters")
}
