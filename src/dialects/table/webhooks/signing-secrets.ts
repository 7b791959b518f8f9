import type { WebhookFormat } from '../../../engine/webhooks/webhook-format.js'
import { DIALECT_SECRETS } from '../../../scenario/model/defaults.js'
import type { Scenario } from '../../../scenario/model/scenario.js'
import type { DialectTable } from '../model/dialect-table.js'

/** The signing secrets of a service: those of the scenario, else those of its table, else the public ones. */
export function signingSecrets(
  { name, webhook }: DialectTable,
  scenario: Scenario,
): Pick<WebhookFormat, 'secret' | 'previousSecret'> {
  const { secret, previousSecret } = scenario.dialects[name] ?? {}
  return {
    secret: secret ?? webhook?.secret ?? DIALECT_SECRETS.secret,
    previousSecret: previousSecret ?? DIALECT_SECRETS.previous_secret,
  }
}
