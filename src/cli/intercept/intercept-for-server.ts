import type { AppOptions } from '../../hosts/express/app-options.js'
import type { Simulator } from '../../simulator/simulator.js'
import { commandEnvironment } from '../exec/command-environment.js'
import { quoted } from '../explore/own-arguments.js'
import type { InterceptArguments } from '../options/intercept-options.js'
import { intercept } from './intercept.js'
import type { PrivateFolder } from './private-folder.js'

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

/** The paths of the files with which users set the variables. */
interface VariableFiles {
  /** For a shell to read: `. FILE`. */
  readonly shell: string
  /** For programs that read `.env` files, and `env_file` of Docker Compose. */
  readonly env: string
  /** For Docker Compose: a service to merge with that of the app. */
  readonly compose: string
}

/** Writes the variables that lead a program to an interceptor, in the forms in which users set variables. */
function writeVariables(folder: PrivateFolder, variables: Readonly<Record<string, string>>): VariableFiles {
  const entries = Object.entries(variables)
  const env = folder.write('variables.env', entries.map(([name, value]) => `${name}='${value}'\n`).join(''))
  const shell = entries.map(([name, value]) => `export ${name}=${quoted(value)}\n`).join('')
  return {
    shell: folder.write('variables.sh', shell),
    env,
    compose: folder.write('compose.yaml', composeFile(folder.path, env)),
  }
}

/** The container shares the network of the machine, on which alone the interceptor listens. */
function composeFile(folder: string, env: string): string {
  return `# Merge it with your file: docker compose -f compose.yaml -f ${folder}/compose.yaml up
services:
  app: # the name of your service
    network_mode: host
    env_file: ${env}
    volumes: ['${folder}:${folder}:ro']
`
}
