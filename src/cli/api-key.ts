import type { Scenario } from '../core/scenario/scenario.js'

/** The key that is suggested where any is accepted. */
export const LOCAL_KEY = 'sk_live_local'

/** A key that the scenario lets in, for good if there is such a one. */
export function apiKeyFor({ auth }: Scenario): string {
  const { keys = [] } = auth
  const lasting = keys.find(({ expires, revoked }) => expires === undefined && revoked === undefined)
  return (lasting ?? keys[0])?.key ?? LOCAL_KEY
}
