import { basename, delimiter, dirname, relative } from 'node:path'

/** The environment and the arguments of a process, as far as they tell how it was started. */
type Started = Pick<NodeJS.Process, 'argv' | 'env'>

/**
 * How to call tasksim from the current folder in the way in which it was called: `tasksim` where that is on the PATH of
 * the user, `node ...` where the file was started by itself, `npx tasksim` in all other cases.
 */
export function invocation({ argv: [, script = ''], env }: Started = process): string {
  // npm puts the commands of a project on the PATH for the time of a script.
  const isOfNpm = env['npm_command'] !== undefined || env['npm_lifecycle_event'] !== undefined
  if (isOfNpm || script === '') return 'npx tasksim'
  if (/^tasksim(?:\.cmd|\.exe)?$/.test(basename(script)))
    return (env['PATH'] ?? '').split(delimiter).includes(dirname(script)) ? 'tasksim' : 'npx tasksim'
  return script.includes('node_modules') ? 'npx tasksim' : `node ${relative('.', script)}`
}
