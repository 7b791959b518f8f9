import type { JsonObject } from '../../engine/json.js'
import type { Kind } from '../../engine/tasks/task.js'
import { KINDS, kindNamed } from '../../kinds/registry.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import { Simulator } from '../../simulator.js'
import type { GivenParts } from '../../simulator-parts.js'
import type { SimulatorSettings } from '../../simulator-settings.js'
import type { SampleOptions } from './sample-options.js'

const RECEIVER = 'http://127.0.0.1:9/preview'

/**
 * Creates a simulator on a manual clock that sends no webhooks, and forgets tasks as they end.
 * @param announce called with the events of tasks
 */
export function sampleSimulator(
  scenario: Scenario,
  { seed, memory, dialects }: SampleOptions,
  announce: GivenParts['announce'],
): Simulator {
  const settings: SimulatorSettings = {
    clock: 'manual',
    keepTasks: 0,
    receivers: [{ url: RECEIVER }],
    ...(seed !== undefined && { seed }),
  }
  return new Simulator(scenario, settings, undefined, { memory, dialects, announce })
}

/** The kind of a model, and an input for it. */
export function sampledModel(
  { tasks: { planner } }: Simulator,
  model: string,
): { readonly kind: Kind; readonly input: JsonObject } {
  const kind = planner.kindOf(model, {})
  return { kind, input: (kindNamed(planner.baseOf(kind)) ?? KINDS[0]).example.input }
}

/** The limit of the clock after the last request. */
export const IDLE_LIMIT = '36500d'
/** How many requests a sample sends before it reports its progress and lets other work run. */
export const PROGRESS_STEP = 100
