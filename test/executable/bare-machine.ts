import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Server } from '../support/server.js'

/** The environment of a machine without Node: the executable finds no other program. */
function bareEnvironment(folder: string): NodeJS.ProcessEnv {
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary, { recursive: true })
  return { HOME: folder, TMPDIR: temporary, PATH: join(folder, 'no-programs') }
}

/** Runs the executable to its end. @param input what it reads from stdin */
export function runTasksim(folder: string, args: readonly string[], input = ''): SpawnSyncReturns<string> {
  return spawnSync(join(folder, 'tasksim'), args, {
    cwd: folder,
    env: bareEnvironment(folder),
    encoding: 'utf8',
    input,
    timeout: 30_000,
  })
}

/** Starts the executable as a server. */
export function startTasksim(folder: string, args: readonly string[]): Promise<Server> {
  return Server.start(args, { command: [join(folder, 'tasksim')], cwd: folder, env: bareEnvironment(folder) })
}
