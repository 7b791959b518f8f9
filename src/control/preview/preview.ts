import { OverBudgetError } from '../../engine/memory/budget.js'
import { json } from '../../exchange/exchange.js'
import { overBudget, Problem } from '../../exchange/problem.js'
import type { Exchange } from '../../http/operation.js'
import { BODY_ERRORS, controlOperation } from '../operation.js'
import { readGivenScenario } from '../scenario.js'
import { PreviewOptions } from '../schema/inputs.js'
import type { PreviewShape } from '../shapes.js'

const DEFAULT_TASKS = 300

/** A scenario may list hundreds of models; a request can name any one of them. */
const MAX_MODELS = 12
const MILLISECONDS_BETWEEN_TASKS = 1_000

export const previewScenario = controlOperation('sim.preview', {
  tag: 'Scenario',
  summary: 'Preview a scenario',
  description:
    'Sends create requests to a separate simulator, so the active one does not change. Previews the active scenario by default.',
  body: {
    schema: PreviewOptions,
    examples: { 'the active scenario': {}, 'a shipped scenario': { name: 'flaky' } },
  },
  responses: { 200: { description: 'The results by model', json: 'PreviewList' } },
  errors: [...BODY_ERRORS, 'invalid_scenario'],
  async run(exchange, { body }) {
    const { sim } = exchange
    const { model, tasks = DEFAULT_TASKS, ...choice } = body
    const isChosen = Object.keys(choice).length > 0
    const scenario = isChosen ? await readGivenScenario(choice, sim) : sim.scenario
    const [{ modelsOf, notSampled, takeSample }, { previewShape }] = await Promise.all([
      import('./sample.js'),
      import('./totals.js'),
    ])
    const { seed, memory, dialects } = sim
    const { signal } = exchange.request
    const options = { tasks, every: MILLISECONDS_BETWEEN_TASKS, seed, memory, dialects, signal }
    const data: PreviewShape[] = []
    for (const each of model === undefined ? modelsOf(scenario).slice(0, MAX_MODELS) : [model]) {
      const sample = takeSample(scenario, { ...options, model: each }).catch((error: unknown) => {
        throw problemOf(error, exchange)
      })
      data.push(previewShape(await sample, notSampled(scenario)))
    }
    return json(200, { data })
  },
})

function problemOf(error: unknown, { sim, request }: Exchange): unknown {
  if (error instanceof OverBudgetError) return overBudget(sim.memory)
  if (request.signal?.aborted)
    return new Problem('invalid_request', 'The connection was closed before the preview ended.')
  return error
}
