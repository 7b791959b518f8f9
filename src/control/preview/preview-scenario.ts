import type { JsonObject } from '../../engine/json.js'
import { OverBudgetError } from '../../engine/memory/over-budget-error.js'
import { readJsonObject } from '../../http/json-body.js'
import type { Exchange, Operation } from '../../http/operation.js'
import { invalid, overBudget, Problem } from '../../http/problem.js'
import { json } from '../../http/reply.js'
import { checkFields, nameIn } from '../own-fields.js'
import { scenarioIn } from '../scenario/scenario.js'
import type { PreviewShape } from '../shapes.js'

const ORDINARY_TASKS = 300
const MOST_TASKS = 2_000
/** A scenario may list hundreds; whoever wants one of them names it. */
const MOST_MODELS = 12
const BETWEEN_TASKS = 1_000

/** Tries a scenario out on tasks of its own, apart from all others: the one in force, or the one in the body. */
export const previewScenario: Operation = {
  id: 'sim.preview',
  authenticated: false,
  async run(exchange) {
    const { sim } = exchange
    const body = await readJsonObject(exchange)
    checkFields(body, ['model', 'tasks', 'name', 'text', 'scenario'])
    const { model: named, tasks = ORDINARY_TASKS, ...choice } = body
    const model = named === undefined ? undefined : nameIn('model', named)
    if (typeof tasks !== 'number' || !(Number.isInteger(tasks) && tasks >= 1 && tasks <= MOST_TASKS))
      throw invalid('field', 'tasks', tasks, `a whole number from 1 to ${MOST_TASKS}`)
    const scenario = isEmpty(choice) ? sim.scenario : await scenarioIn(choice, sim)
    const [{ takeSample }, { modelsOf }, { previewShape }, { notSampled }] = await Promise.all([
      import('./sample.js'),
      import('./models-of.js'),
      import('./preview-shape.js'),
      import('./not-sampled.js'),
    ])
    const models = model === undefined ? modelsOf(scenario).slice(0, MOST_MODELS) : [model]
    const { signal } = exchange.request
    const data: PreviewShape[] = []
    for (const each of models) {
      const { seed, memory } = sim
      const options = { model: each, tasks, every: BETWEEN_TASKS, seed, memory, signal }
      const sample = takeSample(scenario, options).catch((error: unknown) => {
        throw problemOf(error, exchange)
      })
      data.push(previewShape(await sample, notSampled(scenario)))
    }
    return json(200, { data })
  },
}

function problemOf(error: unknown, { sim, request }: Exchange): unknown {
  if (error instanceof OverBudgetError) return overBudget(sim.memory)
  if (request.signal?.aborted)
    return new Problem('invalid_request', 'The connection was closed before the preview had ended.')
  return error
}

function isEmpty(choice: JsonObject): boolean {
  return Object.keys(choice).length === 0
}
