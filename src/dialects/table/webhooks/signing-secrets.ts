import type { WebhookFormat } from '../../../engine/webhooks/webhook-format.js'
import { DIALECT_SECRETS } from '../../../scenario/model/defaults.js'
import type { Scenario } from '../../../scenario/model/scenario.js'
import type { DialectTable } from '../model/dialect-table.js'

/**
 * The signing secrets of a service: those of the scenario, else those of its table, else the public ones. A scenario
 * sets them for one format, or for all formats that it configures.
 */
export function signingSecrets(
  { name, webhook, configurable }: DialectTable,
  { dialects, webhooks }: Scenario,
): Pick<WebhookFormat, 'secret' | 'previousSecret'> {
  const { secret, previousSecret } = dialects[name] ?? {}
  const shared = configurable ? webhooks : undefined
  return {
    secret: secret ?? shared?.secret ?? webhook?.secret ?? DIALECT_SECRETS.secret,
    previousSecret: previousSecret ?? shared?.previousSecret ?? DIALECT_SECRETS.previous_secret,
  }
}
