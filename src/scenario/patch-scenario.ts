import { checkedLayer } from './build-scenario.js'
import { ScenarioError } from './check/mistake.js'
import { addLayer } from './layers/assemble.js'
import type { Scenario } from './scenario.js'
import type { ScenarioInput } from './scenario-input.generated.js'
import { inheritSecrets, placeholdersOf } from './secrets/placeholders.js'
import { restoreSecrets } from './secrets/restore.js'

const SOURCE = 'patch'

/**
 * Applies a patch to a scenario. The patch may have placeholders of the scenario's secrets.
 * @throws ScenarioError with every mistake
 */
export function patchScenario(scenario: Scenario, patch: ScenarioInput): Scenario {
  const { extends: base, ...layer } = checkedLayer(patch, SOURCE, true)
  if (base === undefined) {
    const restored = restoreSecrets(layer, placeholdersOf(scenario), SOURCE)
    return inheritSecrets(
      scenario,
      addLayer(scenario.name, { source: SOURCE, layer: restored.layer }, scenario),
    )
  }
  const message = 'a patch cannot extend a scenario: remove `extends`, or replace the scenario instead'
  throw new ScenarioError([{ source: SOURCE, path: 'extends', message }])
}
