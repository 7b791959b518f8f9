import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { checkInput } from '../../http/exchange/input-problem.js'
import { invalid, Problem } from '../../http/exchange/problem.js'
import { jsonText } from '../../http/exchange/reply.js'
import { readTarget } from '../../http/exchange/webhook-target.js'
import type { CreateAction } from '../action.js'
import type { Call } from '../call.js'
import { checkedModel } from '../checked-model.js'
import { taskText } from './task-text.js'

const FIELDS = ['model', 'input', 'webhook_url']

/** `POST /tasks`: answers at once; the task continues on the clock. */
export const createAction: CreateAction = {
  operation: 'tasks.create',
  subject: ({ model, input }) => ({ model, input }),
  decode(body, call) {
    const model = modelIn(body, call)
    const input = inputIn(body)
    checkInput(call.sim.tasks.planner, model, input)
    const url = Object.hasOwn(body, 'webhook_url') ? body['webhook_url'] : undefined
    const webhookUrl = readTarget(call.sim, 'webhook_url', url)
    return { model, input, webhookUrl, knownFields: FIELDS }
  },
  encode(task, call) {
    const { createStatus, hideQueue } = call.sim.scenario.api
    const isShown = !hideQueue || task.status === 'processing'
    const shown = isShown ? task : { ...task, status: 'processing' as const }
    return jsonText(createStatus, taskText(call, shown))
  },
}

function modelIn(body: JsonObject, { sim }: Call): string {
  return checkedModel(sim, 'model', required(body, 'model', 'a string such as "provider/model-name"'))
}

function inputIn(body: JsonObject): JsonObject {
  const input = required(body, 'input', "an object with the model's parameters")
  if (isJsonObject(input)) return input
  throw invalid('field', 'input', input, "an object with the model's parameters")
}

function required(body: JsonObject, param: string, expected: string): JsonValue | undefined {
  if (Object.hasOwn(body, param)) return body[param]
  throw new Problem('invalid_request', `The field \`${param}\` is missing: give ${expected}.`, { param })
}
