import { basename, delimiter, dirname, relative } from 'node:path'

/**
 * The command that starts tasksim from the current folder: `tasksim` if it is on the PATH, the path of the single
 * executable, `node ...` for a script outside node_modules, and `npx tasksim` otherwise.
 */
export function invocation({
  argv: [program, script = ''],
  env,
}: Pick<NodeJS.Process, 'argv' | 'env'> = process): string {
  // A single executable is its own script.
  if (script === program) {
    const isOnPath = (env['PATH'] ?? '').split(delimiter).includes(dirname(script))
    return isOnPath ? basename(script) : pathOf(relative('.', script))
  }
  // npm adds the commands of a project to the PATH while it runs a script.
  const isRunByNpm = env['npm_command'] !== undefined || env['npm_lifecycle_event'] !== undefined
  if (isRunByNpm || script === '') return 'npx tasksim'
  if (/^tasksim(?:\.cmd|\.exe)?$/.test(basename(script)))
    return (env['PATH'] ?? '').split(delimiter).includes(dirname(script)) ? 'tasksim' : 'npx tasksim'
  return script.includes('node_modules') ? 'npx tasksim' : `node ${relative('.', script)}`
}

/** A path that cannot be mistaken for the name of a command or of a shipped scenario. */
export function pathOf(file: string): string {
  return /[\\/]/.test(file) ? file : `./${file}`
}
