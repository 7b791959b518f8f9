import type { Dialect } from '../../dialects/dialect.js'
import type { Dialects } from '../../dialects/dialects.js'
import type { WebhookFormat } from '../../engine/webhooks/webhook-format.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import { loadGivenDialect } from '../dialects/given-dialects.js'
import { CommandLineError } from '../errors.js'
import { type AuthHeader, withAuthHeader } from './auth-header.js'
import type { ProbeContext } from './context.js'
import { eventsOf } from './events.js'
import { signatureRuleOf } from './signature-rule.js'

/** What the command line says about the webhooks. */
export interface ProbeOptions {
  readonly scenario: Scenario
  /** The name of a dialect, or the path of a dialect file; that of `tasks` if undefined. */
  readonly dialect: string | undefined
  /** The signing secret; that of the scenario if undefined. */
  readonly secret: string | undefined
  readonly previousSecret: string | undefined
  readonly authHeader: AuthHeader | undefined
  readonly taskId: string | undefined
}

/**
 * Finds the format of the webhooks, and what its signature depends on.
 * @throws UsageError if there is no such dialect, it sends no webhooks, or an option does not fit it
 */
export async function buildContext(options: ProbeOptions): Promise<ProbeContext> {
  const { scenario, secret, previousSecret, taskId, authHeader } = options
  const { dialect, dialects } = await loadGivenDialect(options.dialect, scenario)
  const format = withAuthHeader(dialect.webhooks(scenario), dialect.name, authHeader)
  const keys = {
    format,
    secret: secret ?? format.secret,
    previousSecret: previousSecret ?? format.previousSecret,
  }
  if (!sendsWebhooks(format)) throw await noWebhooks(dialect, dialects, scenario)
  const rule = await signatureRuleOf(format, keys.secret)
  const isRotating = previousSecret !== undefined
  if (isRotating && rule?.hasSecret !== true)
    throw new CommandLineError(`The dialect ${dialect.name} signs with no secret, so omit --previous-secret.`)
  return { dialect, keys, rule, taskId, isRotating }
}

function sendsWebhooks(format: WebhookFormat): boolean {
  return eventsOf({ keys: { format, secret: '', previousSecret: '' } }).length > 0
}

async function noWebhooks(dialect: Dialect, dialects: Dialects, scenario: Scenario): Promise<Error> {
  const all = await Promise.all(dialects.names.map((name) => dialects.load(name)))
  const senders = all.filter((each) => sendsWebhooks(each.webhooks(scenario))).map(({ name }) => name)
  return new CommandLineError(
    `The dialect ${dialect.name} sends no webhooks. These do: ${senders.join(', ')}.`,
  )
}
