import { quoted } from '../explore/own-arguments.js'
import type { PrivateFolder } from './private-folder.js'

/** The paths of the files with which users set the variables. */
export interface VariableFiles {
  /** For a shell to read: `. FILE`. */
  readonly shell: string
  /** For programs that read `.env` files, and `env_file` of Docker Compose. */
  readonly env: string
  /** For Docker Compose: a service to merge with that of the app. */
  readonly compose: string
}

/** Writes the variables that lead a program to an interceptor, in the forms in which users set variables. */
export function writeVariables(
  folder: PrivateFolder,
  variables: Readonly<Record<string, string>>,
): VariableFiles {
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
