import { UsageError } from '../../../core/errors.js'
import { type Mistake, ScenarioError } from '../../../core/scenario/mistake.js'
import type { Scenario } from '../../../core/scenario/scenario.js'
import type { JsonObject } from '../../../core/task/task.js'
import { readJsonObject } from '../../json-body.js'
import type { Operation } from '../../operation.js'
import { invalid, Problem } from '../../problem.js'
import { json } from '../../reply.js'
import { scenarioShape } from './scenario-shape.js'

/** Gives the scenario in force. */
export const readScenario: Operation = {
  id: 'sim.scenario.read',
  authenticated: false,
  run: async ({ sim }) => json(200, await scenarioShape(sim)),
}

/** Plans all further tasks by another scenario. One that is broken changes nothing. */
export const replaceScenario: Operation = {
  id: 'sim.scenario.replace',
  authenticated: false,
  async run(exchange) {
    const { sim } = exchange
    const body = await readJsonObject(exchange)
    sim.useScenario(await scenarioIn(body))
    return json(200, await scenarioShape(sim))
  },
}

/** Lays a few settings over the scenario in force. */
export const patchScenario: Operation = {
  id: 'sim.scenario.patch',
  authenticated: false,
  async run(exchange) {
    const { sim } = exchange
    const body = await readJsonObject(exchange)
    const { patched } = await import('../../../core/scenario/load.js')
    sim.useScenario(understood(() => patched(sim.scenario, body)))
    return json(200, await scenarioShape(sim))
  },
}

/**
 * The scenario that a body means: the `name` of a shipped one, a `text` of YAML, or a `scenario` as an object.
 * @throws Problem 400 with every mistake in it
 */
export async function scenarioIn(body: JsonObject): Promise<Scenario> {
  const { name, text, scenario } = body
  const given = [name, text, scenario].filter((value) => value !== undefined)
  if (given.length !== 1)
    throw new Problem(
      'invalid_request',
      'Give one of `name`, `text` and `scenario`, such as {"name": "flaky"}.',
    )
  const { shippedScenario } = await import('../../../core/scenario/assemble.js')
  if (name !== undefined) {
    if (typeof name !== 'string') throw invalid('field', 'name', name, 'the name of a shipped scenario')
    return understood(() => shippedScenario(name))
  }
  const { buildScenario, parseScenario } = await import('../../../core/scenario/load.js')
  if (text === undefined) return understood(() => buildScenario(scenario as object))
  if (typeof text !== 'string') throw invalid('field', 'text', text, 'a scenario in YAML or JSON')
  return understood(() => parseScenario(text))
}

function understood(read: () => Scenario): Scenario {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new Problem('invalid_scenario', error.message, {
      details: error instanceof ScenarioError ? { mistakes: error.mistakes.map(mistakeShape) } : {},
    })
  }
}

function mistakeShape({ line, column, path, message }: Mistake): object {
  return { line, column, path, message }
}
