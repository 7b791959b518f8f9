import type { Scenario } from '../scenario/model/scenario.js'

/** The key to suggest if the scenario accepts any key. */
export const LOCAL_KEY = 'sk_live_local'

/** A key that the scenario accepts; preferably one that never expires and is never revoked. */
export function apiKeyFor({ auth }: Scenario): string {
  const { keys = [] } = auth
  const lasting = keys.find(({ expires, revoked }) => expires === undefined && revoked === undefined)
  return (lasting ?? keys[0])?.key ?? LOCAL_KEY
}
