import type { ClientAddress } from '../../control/code/clients.js'
import { apiKeyFor } from '../../http/api-key.js'
import type { Scenario } from '../../scenario/scenario.js'
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

/** The client of a dialect, and the secret of its webhooks. */
export interface DialectClient extends ClientAddress {
  readonly webhookSecret: string
}

/**
 * The environment variables through which a command finds the simulator.
 * @param clients the clients of services, which read variables of their own
 * @param main the client that determines the base URL and the secret
 */
export function environmentFor(
  baseUrl: string,
  scenario: Scenario,
  extra: readonly Variable[],
  clients: readonly DialectClient[] = [],
  main: DialectClient | undefined = clients[0],
): Record<string, string> {
  const { origin } = new URL(baseUrl)
  const values: Readonly<Record<ValueName, string>> = {
    base_url: main === undefined ? baseUrl : origin + main.path,
    api_key: apiKeyFor(scenario),
    webhook_secret: main?.webhookSecret ?? scenario.webhooks.secret,
    origin,
  }
  return {
    TASKSIM_URL: values.base_url,
    TASKSIM_API_KEY: values.api_key,
    TASKSIM_WEBHOOK_SECRET: values.webhook_secret,
    ...Object.assign({}, ...clients.map((client) => variablesOf(client, values))),
    ...Object.fromEntries(extra.map(({ name, value }) => [name, values[value]])),
  }
}

/**
 * The names of the variables of an environment that keep clients from the simulator.
 * @param given the variables that the command gets in any case
 */
export function conflictsIn(
  env: NodeJS.ProcessEnv,
  given: Readonly<Record<string, string>>,
  clients: readonly DialectClient[],
): readonly string[] {
  const all = clients.flatMap(({ conflicts = [] }) => conflicts)
  return all.filter((name) => env[name] !== undefined && !Object.hasOwn(given, name))
}

/** The variables that the clients of a service read, in any language. */
function variablesOf(
  client: DialectClient,
  { origin, api_key: key }: Readonly<Record<ValueName, string>>,
): Record<string, string> {
  const { path, urlVariable, keyVariable, secretVariable, webhookSecret } = client
  const { furtherUrls = {}, furtherKeys = [], settings = {} } = client
  return {
    ...settings,
    ...Object.fromEntries(Object.entries(furtherUrls).map(([name, start]) => [name, origin + start])),
    ...Object.fromEntries(furtherKeys.map((name) => [name, key])),
    ...(urlVariable !== undefined && { [urlVariable]: origin + path }),
    ...(keyVariable !== undefined && { [keyVariable]: key }),
    ...(secretVariable !== undefined && { [secretVariable]: webhookSecret }),
  }
}

/** The words after two dashes, which the types of yargs do not have. */
export function commandIn(args: object): readonly string[] {
  return '--' in args ? (args['--'] as readonly string[]) : []
}
