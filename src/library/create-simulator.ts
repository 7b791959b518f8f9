import { checkOptions } from '../engine/errors.js'
import { buildScenario } from '../scenario/build-scenario.js'
import type { Scenario } from '../scenario/scenario.js'
import type { ScenarioInput } from '../scenario/scenario-input.generated.js'
import { completeScenario } from '../scenario/shipped.js'
import { type BuildOptions, buildSimulator, type Simulator } from './build-simulator.js'

/**
 * A complete scenario. It has no field in common with {@link ScenarioInput}, so the compiler reports a mistake in an
 * input by the name of its field.
 */
type CompleteScenario = Pick<Scenario, 'name' | 'catalog'>

/** The options of `createSimulator`. */
export interface SimulatorOptions extends BuildOptions {
  /** The name of a shipped scenario, a result of `defineScenario` or `parseScenario`, or the scenario as an object. */
  readonly scenario?: string | CompleteScenario | ScenarioInput
}

/**
 * Creates a simulator: the whole service, without a host.
 * @throws ScenarioError with every mistake in the scenario; UsageError if no shipped scenario has the name, an option
 * is unknown or has an unusable value, or a receiver is not a URL
 * @example
 * const sim = createSimulator({ scenario: 'realistic', clock: 'manual' })
 * const server = setupServer(...handlers(sim))
 * await sim.clock.advance('2m')
 */
export function createSimulator(given: SimulatorOptions = {}): Simulator {
  checkOptions('createSimulator', given)
  const { scenario = 'default', ...options } = given
  const sim = buildSimulator(toScenario(scenario), options)
  sim.loops.areEnded = true
  return sim
}

/**
 * Checks a scenario written in code and fills in its defaults.
 * @throws ScenarioError with every mistake
 * @example
 * const scenario = defineScenario({ extends: 'instant', kinds: { video: { failures: { rate: 1 } } } })
 */
export function defineScenario(scenario: ScenarioInput): Scenario {
  return buildScenario(scenario)
}

function toScenario(scenario: string | CompleteScenario | ScenarioInput): Scenario {
  const isInput = typeof scenario === 'object' && scenario !== null && !('catalog' in scenario)
  return isInput ? buildScenario(scenario) : completeScenario(scenario as Scenario | string)
}
