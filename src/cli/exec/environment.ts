import { apiKeyFor } from '../../http/api-key.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import type { ClientSetup } from '../dialects/clients.js'
import { CommandLineError } from '../errors.js'

/** The values that `--env` can pass to a command. */
const VALUES = ['base_url', 'api_key', 'webhook_secret', 'origin'] as const
type ValueName = (typeof VALUES)[number]

/** An environment variable and the value to pass in it. */
export interface Variable {
  readonly name: string
  readonly value: ValueName
}

/**
 * Reads a value of `--env`, such as `API_BASE_URL=base_url`.
 * @throws UsageError if it has another form
 */
export function readVariable(text: string): Variable {
  const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(text) ?? []
  if (name !== undefined && VALUES.includes(value as ValueName)) return { name, value: value as ValueName }
  throw new CommandLineError(
    `--env must be NAME=VALUE, where VALUE is one of ${VALUES.join(', ')}; got ${JSON.stringify(text)}.`,
  )
}

/**
 * The environment variables through which a command finds the simulator.
 * @param client the client of a service, which reads variables of its own
 */
export function environmentFor(
  baseUrl: string,
  scenario: Scenario,
  extra: readonly Variable[],
  client?: ClientSetup,
): Record<string, string> {
  const values: Readonly<Record<ValueName, string>> = {
    base_url: baseUrl,
    api_key: apiKeyFor(scenario),
    webhook_secret: scenario.webhooks.secret,
    origin: new URL(baseUrl).origin,
  }
  return {
    TASKSIM_URL: client === undefined ? values.base_url : values.origin + client.path,
    TASKSIM_API_KEY: values.api_key,
    TASKSIM_WEBHOOK_SECRET: values.webhook_secret,
    ...(client?.urlVariable !== undefined && { [client.urlVariable]: values.origin + client.path }),
    ...(client?.keyVariable !== undefined && { [client.keyVariable]: values.api_key }),
    ...Object.fromEntries(extra.map(({ name, value }) => [name, values[value]])),
  }
}
