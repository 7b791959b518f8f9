import type { Simulator } from '../../simulator/simulator.js'
import { clientAddress } from '../dialects/given-dialects.js'
import { conflictsIn, type DialectClient, environmentFor, type Variable } from './environment.js'

/** The environment of a command whose client uses a simulator. */
interface CommandEnvironment {
  readonly env: NodeJS.ProcessEnv
  /** The variables of the user that were left out, because they would keep the client from the simulator. */
  readonly removed: readonly string[]
}

/**
 * Builds the environment of a command: the user's, and the variables through which clients find the simulator.
 * @param dialects the names of the services whose clients the command uses
 */
export async function commandEnvironment({
  sim,
  dialects,
  baseUrl,
  variables,
}: {
  readonly sim: Simulator
  readonly dialects: readonly string[]
  readonly baseUrl: string
  readonly variables: readonly Variable[]
}): Promise<CommandEnvironment> {
  const clients = await Promise.all(dialects.map((name) => clientOf(sim, name)))
  const given = environmentFor(baseUrl, sim.scenario, variables, clients)
  const env = { ...process.env, ...given }
  const removed = conflictsIn(process.env, given, clients)
  for (const name of removed) delete env[name]
  return { env, removed }
}

async function clientOf(sim: Simulator, name: string): Promise<DialectClient> {
  const dialect = await sim.dialects.load(name)
  return {
    ...clientAddress(sim.dialects, name),
    webhookSecret: dialect.webhooks(sim.scenario).secret,
  }
}
