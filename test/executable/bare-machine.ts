import { type ChildProcess, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { adopt } from '../package/workshop.js'

/** The environment of a machine without Node: the executable finds no other program. */
function bareEnvironment(folder: string): NodeJS.ProcessEnv {
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary, { recursive: true })
  return { HOME: folder, TMPDIR: temporary, PATH: join(folder, 'no-programs') }
}

/** Runs the executable to its end. */
export function runTasksim(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): SpawnSyncReturns<string> {
  return spawnSync(join(folder, 'tasksim'), args, {
    cwd: folder,
    env: { ...bareEnvironment(folder), ...env },
    encoding: 'utf8',
    timeout: 30_000,
  })
}

/** Starts the executable as a server. {@link tidyUp} stops it. */
export function startTasksim(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): ChildProcess {
  return adopt(
    spawn(join(folder, 'tasksim'), args, {
      cwd: folder,
      env: { ...bareEnvironment(folder), ...env },
      detached: true,
    }),
  )
}
