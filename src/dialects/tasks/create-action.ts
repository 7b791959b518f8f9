import { isJsonObject, type JsonObject, type JsonValue } from '../../engine/json.js'
import { HTTP_URL_FORM, httpUrl } from '../../engine/webhooks/http-url.js'
import { checkInput } from '../../http/exchange/input-problem.js'
import { invalid, Problem } from '../../http/exchange/problem.js'
import { jsonText } from '../../http/exchange/reply.js'
import { checkTarget } from '../../http/exchange/webhook-target.js'
import type { Call, CreateAction } from '../dialect.js'
import { taskText } from './task-text.js'

const FIELDS = ['model', 'input', 'webhook_url']
const LONGEST_MODEL = 200
const LONGEST_URL = 2_000

/** `POST /tasks`: answers at once; the task continues on the clock. */
export const createAction: CreateAction = {
  operation: 'tasks.create',
  subject: ({ model, input }) => ({ model, input }),
  decode(body, call) {
    const model = modelIn(body, call)
    const input = inputIn(body)
    checkInput(call.sim.tasks.planner, model, input)
    const webhookUrl = webhookUrlIn(body)
    if (webhookUrl !== undefined) checkTarget(call.sim, 'webhook_url', webhookUrl)
    const unknownFields = Object.keys(body).filter((field) => !FIELDS.includes(field))
    return { model, input, webhookUrl, unknownFields }
  },
  encode(task, call) {
    const { createStatus, hideQueue } = call.sim.scenario.api
    const shown = hideQueue ? { ...task, status: 'processing' as const } : task
    return jsonText(createStatus, taskText(call, shown))
  },
}

function modelIn(body: JsonObject, { sim }: Call): string {
  const model = required(body, 'model', 'a string such as "provider/model-name"')
  if (typeof model !== 'string' || model === '' || model.length > LONGEST_MODEL) {
    throw invalid(
      'field',
      'model',
      model,
      `a string of 1 to ${LONGEST_MODEL} characters, such as "provider/model-name"`,
    )
  }
  if (sim.scenario.api.unknownModels === 'reject' && !sim.tasks.planner.lists(model)) {
    const message = `There is no model ${JSON.stringify(model)}. Use one that the scenario lists under \`models\`.`
    throw new Problem('model_not_found', message, { param: 'model' })
  }
  return model
}

function inputIn(body: JsonObject): JsonObject {
  const input = required(body, 'input', "an object with the model's parameters")
  if (isJsonObject(input)) return input
  throw invalid('field', 'input', input, "an object with the model's parameters")
}

function webhookUrlIn(body: JsonObject): string | undefined {
  const url = Object.hasOwn(body, 'webhook_url') ? body['webhook_url'] : undefined
  if (url === undefined || url === null) return undefined
  const usable = typeof url === 'string' && url.length <= LONGEST_URL ? httpUrl(url) : undefined
  if (usable !== undefined) return usable
  throw invalid('field', 'webhook_url', url, `at most ${LONGEST_URL} characters long, and ${HTTP_URL_FORM}`)
}

function required(body: JsonObject, param: string, expected: string): JsonValue | undefined {
  if (Object.hasOwn(body, param)) return body[param]
  throw new Problem('invalid_request', `The field \`${param}\` is missing: give ${expected}.`, { param })
}
