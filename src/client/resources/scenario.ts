import type {
  PreviewOptions,
  PreviewShape,
  ScenarioChoice,
  ScenarioShape,
  ShippedScenarioShape,
} from '../../control/shapes.js'
import type { ScenarioInput } from '../../scenario/language/scenario-input.generated.js'
import { type Call, segment } from '../call.js'

/** The active scenario, which defines the behavior of the service. */
export type ScenarioControl = ReturnType<typeof scenarioControl>

/** Creates the functions for the scenario. */
export function scenarioControl(call: Call) {
  return {
    /** Reads the active scenario. */
    get: () => call<ScenarioShape>('GET', '/scenario'),
    /** Reads the file of a shipped scenario, which does not become active. */
    shipped: async (name: string) => call<ShippedScenarioShape>('GET', `/scenarios/${segment(name)}`),
    /** Replaces the scenario for tasks that are created from now on. An invalid scenario changes nothing. */
    replace: (choice: ScenarioChoice) => call<ScenarioShape>('PUT', '/scenario', choice),
    /** Previews a scenario, by default the active one, without changing anything. */
    preview: async (options: PreviewOptions = {}) =>
      (await call<{ data: PreviewShape[] }>('POST', '/preview', options)).data,
    /** Overrides settings of the active scenario. */
    patch: (layer: ScenarioInput) => call<ScenarioShape>('PATCH', '/scenario', layer),
  }
}
