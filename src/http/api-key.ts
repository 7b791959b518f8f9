import type { Scenario } from '../scenario/scenario.js'
import type { SandboxIdentity } from '../simulator/sandboxes.js'

/** The key to suggest if the scenario accepts any key. */
export const LOCAL_KEY = 'sk_live_local'

/** A key that the scenario accepts; preferably one that never expires and is never revoked. */
export function apiKeyFor({ auth }: Scenario): string {
  const { keys = [] } = auth
  const lasting = keys.find(({ expires, revoked }) => expires === undefined && revoked === undefined)
  return (lasting ?? keys[0])?.key ?? LOCAL_KEY
}

/**
 * The key to show in examples: that of the sandbox, or `$API_KEY` if the scenario lists the keys, which are secret.
 * @param sim the simulator that accepts it
 */
export function shownKey(sim: {
  readonly identity: SandboxIdentity | undefined
  readonly scenario: Pick<Scenario, 'auth'>
}): string {
  return sim.identity?.key ?? (sim.scenario.auth.keys === undefined ? LOCAL_KEY : '$API_KEY')
}
