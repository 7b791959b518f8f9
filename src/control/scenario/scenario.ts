import type { Awaitable } from '../../engine/awaitable.js'
import { UsageError } from '../../engine/errors.js'
import type { JsonObject } from '../../engine/json.js'
import { readJsonObject } from '../../http/json-body.js'
import type { Operation } from '../../http/operation.js'
import { invalid, Problem } from '../../http/problem.js'
import { json } from '../../http/reply.js'
import { checkTarget } from '../../http/webhook-target.js'
import { type Mistake, ScenarioError } from '../../scenario/language/check/mistake.js'
import { namesFiles } from '../../scenario/language/layers/own-files.js'
import type { ScenarioLayer } from '../../scenario/model/layer.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import type { Simulator } from '../../simulator.js'
import { checkFields } from '../own-fields.js'
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
    sim.useScenario(await scenarioIn(await readJsonObject(exchange), sim))
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
    const { patched } = await import('../../scenario/language/patch-scenario.js')
    const scenario = await understood(() => patched(sim.scenario, body))
    checkReach(scenario, body, sim)
    sim.useScenario(scenario)
    return json(200, await scenarioShape(sim))
  },
}

/**
 * The scenario that a body means: the `name` of a shipped one, a `text` of YAML, or a `scenario` as an object.
 * @throws Problem 400 with every mistake in it
 */
export async function scenarioIn(body: JsonObject, sim: Simulator): Promise<Scenario> {
  checkFields(body, ['name', 'text', 'scenario'])
  const given = await chosen(body)
  const { withSecretsOf } = await import('../../scenario/secrets/restore.js')
  const scenario = await understood(() => withSecretsOf(sim.scenario, given))
  checkReach(scenario, scenario.layer, sim)
  return scenario
}

async function chosen(body: JsonObject): Promise<Scenario> {
  const { name, text, scenario } = body
  const given = [name, text, scenario].filter((value) => value !== undefined)
  if (given.length !== 1)
    throw new Problem(
      'invalid_request',
      'Give one of `name`, `text` and `scenario`, such as {"name": "flaky"}.',
    )
  const { shippedScenario } = await import('../../scenario/language/shipped.js')
  if (name !== undefined) {
    if (typeof name !== 'string') throw invalid('field', 'name', name, 'the name of a shipped scenario')
    return understood(() => shippedScenario(name))
  }
  if (text === undefined) {
    const { buildScenario } = await import('../../scenario/language/build-scenario.js')
    return understood(() => buildScenario(scenario as object))
  }
  if (typeof text !== 'string') throw invalid('field', 'text', text, 'a scenario in YAML or JSON')
  const { parseScenario } = await import('../../scenario/language/read-text.js')
  return understood(() => parseScenario(text))
}

/**
 * Keeps a scenario that came from outside from reaching further than its sender does.
 * @param layer what the sender wrote
 * @throws Problem 400
 */
function checkReach(scenario: Scenario, layer: ScenarioLayer, sim: Simulator): void {
  const known = new Set(sim.scenario.webhooks.receivers.map(({ url }) => url))
  for (const { url } of scenario.webhooks.receivers)
    if (!known.has(url)) checkTarget(sim, 'webhooks.receivers', url)
  if (namesFiles(layer))
    throw new Problem(
      'invalid_scenario',
      'Files of this machine cannot be handed out at the request of the control API: leave `files` out, or name them in the scenario that the server starts with.',
    )
}

async function understood(read: () => Awaitable<Scenario>): Promise<Scenario> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new Problem('invalid_scenario', error.message, {
      details: error instanceof ScenarioError ? detailsOf(error) : {},
    })
  }
}

function detailsOf({ mistakes, more }: ScenarioError): object {
  return { mistakes: mistakes.map(mistakeShape), ...(more > 0 && { more }) }
}

function mistakeShape({ line, column, path, message }: Mistake): object {
  return { line, column, path, message }
}
