import type { AppOptions } from '../../hosts/express/app-options.js'
import type { Simulator } from '../../simulator/simulator.js'
import { commandEnvironment } from '../exec/command-environment.js'
import type { InterceptArguments } from '../options/intercept-options.js'
import { intercept } from './intercept.js'
import { type VariableFiles, writeVariables } from './variable-files.js'

/** Servers run for long, and programs read the certificate at their start. */
const DAYS = 30

/** What answers requests for the hosts of services besides a server. */
export interface ServerInterceptor {
  /** The names of the services. */
  readonly dialects: readonly string[]
  readonly files: VariableFiles
  close(): Promise<void>
}

/**
 * Intercepts the requests of programs that are started elsewhere, with the variables in some files.
 * @param baseUrl that of the server
 * @throws UsageError if a service does not exist, or has no hosts
 */
export async function interceptForServer(
  sim: Simulator,
  args: InterceptArguments,
  options: Pick<AppOptions, 'overrides' | 'cors'>,
  baseUrl: string,
): Promise<ServerInterceptor> {
  const { interception, interceptor, close } = await intercept(sim, args, options, DAYS)
  const { dialects } = interceptor
  const { set } = await commandEnvironment({
    sim,
    dialects: [],
    baseUrl,
    variables: [],
    intercepted: interceptor,
  })
  return { dialects, files: writeVariables(interception.folder, set), close }
}
