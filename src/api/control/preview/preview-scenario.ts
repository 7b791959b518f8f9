import type { JsonObject } from '../../../core/json.js'
import { readJsonObject } from '../../json-body.js'
import type { Operation } from '../../operation.js'
import { invalid } from '../../problem.js'
import { json } from '../../reply.js'
import { scenarioIn } from '../scenario/scenario.js'
import type { PreviewShape } from '../shapes.js'

const ORDINARY_TASKS = 300
const MOST_TASKS = 2_000
/** A scenario may list hundreds; whoever wants one of them names it. */
const MOST_MODELS = 12
const BETWEEN_TASKS = 1_000

/** Tries a scenario out on tasks of its own, beside everything: the one in force, or the one in the body. */
export const previewScenario: Operation = {
  id: 'sim.preview',
  authenticated: false,
  async run(exchange) {
    const { sim } = exchange
    const { model, tasks = ORDINARY_TASKS, ...choice } = await readJsonObject(exchange)
    if (model !== undefined && typeof model !== 'string')
      throw invalid('field', 'model', model, 'the id of a model')
    if (typeof tasks !== 'number' || !(Number.isInteger(tasks) && tasks >= 1 && tasks <= MOST_TASKS))
      throw invalid('field', 'tasks', tasks, `a whole number from 1 to ${MOST_TASKS}`)
    const scenario = isEmpty(choice) ? sim.scenario : await scenarioIn(choice, sim)
    const [{ takeSample }, { modelsOf }, { previewShape }] = await Promise.all([
      import('./sample.js'),
      import('./models-of.js'),
      import('./preview-shape.js'),
    ])
    const models = model === undefined ? modelsOf(scenario).slice(0, MOST_MODELS) : [model]
    const data: PreviewShape[] = []
    for (const each of models) {
      const options = { model: each, tasks, every: BETWEEN_TASKS, seed: sim.seed }
      data.push(previewShape(await takeSample(scenario, options)))
    }
    return json(200, { data })
  },
}

function isEmpty(choice: JsonObject): boolean {
  return Object.keys(choice).length === 0
}
