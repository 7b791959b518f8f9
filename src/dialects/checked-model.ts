import type { JsonValue } from '../engine/json.js'
import { invalid, Problem } from '../http/exchange/problem.js'
import type { Call } from './call.js'

const LONGEST_MODEL = 200

/**
 * The model of a task.
 * @param param the field or parameter that holds it
 * @throws Problem 400 or 404 if it is no text, or the scenario rejects models that it does not list
 */
export function checkedModel(
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
  if (sim.scenario.api.unknownModels === 'reject' && !sim.tasks.planner.lists(model)) {
    const message = `There is no model ${JSON.stringify(model)}. Use one that the scenario lists under \`models\`.`
    throw new Problem('model_not_found', message, { param, given: model })
  }
  return model
}
