import { CLIENTS, constructionOf } from '../../control/code/clients.js'
import type { Simulator } from '../../simulator/simulator.js'
import { clientAddress } from '../dialects/given-dialects.js'
import { conflictsIn, type DialectClient, environmentFor, type Variable } from './environment.js'

/** The environment of a command whose client uses a simulator. */
interface CommandEnvironment {
  readonly env: NodeJS.ProcessEnv
  /** The variables of the user that were left out, because they would keep the client from the simulator. */
  readonly removed: readonly string[]
  /** The variables that were set. */
  readonly set: Readonly<Record<string, string>>
}

/** Where a command finds a simulator. */
interface CommandAccess {
  readonly sim: Simulator
  /** The names of the services whose clients the command uses. */
  readonly dialects: readonly string[]
  readonly baseUrl: string
  /** Further variables. */
  readonly variables: readonly Variable[]
  /** The services whose hosts lead to the simulator, and the variables that make them. */
  readonly intercepted?: InterceptedServices | undefined
}

/** The services whose requests are intercepted. */
interface InterceptedServices {
  /** Their names. */
  readonly dialects: readonly string[]
  readonly variables: Readonly<Record<string, string>>
}

/** Builds the environment of a command: the user's, and the variables through which clients find the simulator. */
export async function commandEnvironment({
  sim,
  dialects,
  baseUrl,
  variables,
  intercepted = NONE,
}: CommandAccess): Promise<CommandEnvironment> {
  const clientsOf = (names: readonly string[]) => Promise.all(names.map((name) => clientOf(sim, name)))
  const [called, atHosts] = await Promise.all([clientsOf(dialects), clientsOf(intercepted.dialects)])
  const [main] = called
  const clients = [
    ...called.filter((_, index) => !intercepted.dialects.includes(dialects[index] ?? '')),
    ...atHosts.map(withKeysOnly),
  ]
  const given = {
    ...environmentFor(baseUrl, sim.scenario, variables, clients, main),
    ...intercepted.variables,
  }
  const env = { ...process.env, ...given }
  const removed = conflictsIn(process.env, given, clients)
  for (const name of removed) delete env[name]
  return { env, removed, set: given }
}

const NONE: InterceptedServices = { dialects: [], variables: {} }

/**
 * A client that calls the hosts of its service, as the user has configured it: only its key and its secret are those
 * of the simulator.
 */
function withKeysOnly(client: DialectClient): DialectClient {
  const { path, keyVariable, furtherKeys = [], secretVariable, webhookSecret } = client
  return {
    path,
    furtherKeys,
    webhookSecret,
    ...(keyVariable !== undefined && { keyVariable }),
    ...(secretVariable !== undefined && { secretVariable }),
  }
}

async function clientOf(sim: Simulator, name: string): Promise<DialectClient> {
  const dialect = await sim.dialects.load(name)
  return {
    ...clientAddress(sim.dialects, name),
    webhookSecret: dialect.webhooks(sim.scenario).secret,
  }
}

/**
 * What the user should know about the environment of a command, in sentences: how to point official clients to the
 * simulator that read no variable for its address, and which variables were left out.
 */
export function hintsFor(dialects: readonly string[], removed: readonly string[]): readonly string[] {
  const code = dialects.flatMap((name) => {
    const setup = CLIENTS[name]
    if (setup === undefined || setup.urlVariable !== undefined) return []
    const line = constructionOf(setup, 'process.env.TASKSIM_URL', 'process.env.TASKSIM_API_KEY')
    return `${setup.package} reads no address from the environment. Construct it with:\n  ${line}`
  })
  return [...code, ...removed.map((name) => `unset ${name}, which would keep the client from the simulator.`)]
}
