import { existsSync, writeFileSync } from 'node:fs'
import { basename, delimiter, dirname, join, relative, resolve, sep } from 'node:path'
import { UsageError } from '../../engine/errors.js'
import type { LazyCommand } from '../lazy-command.js'
import { flush, print } from '../output.js'
import { starter } from '../starter.js'

interface InitArguments {
  file: string
  force: boolean
}

/** Writes a commented starter scenario. */
export const initCommand: LazyCommand<InitArguments> = {
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', default: 'tasksim.yaml', describe: 'Path of the YAML file' })
      .option('force', { type: 'boolean', default: false, describe: 'Overwrite an existing file' }),
  handler({ file, force }) {
    if (/\.json$/i.test(file)) {
      throw new UsageError(
        `Cannot write ${file}: the starter scenario is YAML with comments. Give a name that ends in .yaml.`,
      )
    }
    if (existsSync(file) && !force) {
      throw new UsageError(`${file} already exists. Give another name, or pass --force to overwrite it.`)
    }
    write(file)
    print(`Wrote ${file}. Serve it with: ${invocation()} ${pathOf(file)}`)
    flush()
  },
}

/** A path that cannot be mistaken for the name of a shipped scenario. */
function pathOf(file: string): string {
  return /[\\/]/.test(file) ? file : `./${file}`
}

function write(file: string): void {
  try {
    writeFileSync(file, starter(schemaPath(file)))
  } catch (error) {
    throw new UsageError(`Cannot write ${file}: ${(error as Error).message}`)
  }
}

/**
 * The command that starts tasksim from the current folder: `tasksim` if it is on the PATH, `node ...` for a script
 * outside node_modules, and `npx tasksim` otherwise.
 */
export function invocation({
  argv: [, script = ''],
  env,
}: Pick<NodeJS.Process, 'argv' | 'env'> = process): string {
  // npm adds the commands of a project to the PATH while it runs a script.
  const isRunByNpm = env['npm_command'] !== undefined || env['npm_lifecycle_event'] !== undefined
  if (isRunByNpm || script === '') return 'npx tasksim'
  if (/^tasksim(?:\.cmd|\.exe)?$/.test(basename(script)))
    return (env['PATH'] ?? '').split(delimiter).includes(dirname(script)) ? 'tasksim' : 'npx tasksim'
  return script.includes('node_modules') ? 'npx tasksim' : `node ${relative('.', script)}`
}

const SCHEMA = 'node_modules/tasksim/dist/scenario.schema.json'

/**
 * The path of the JSON Schema, relative to a scenario file: in the nearest parent folder that has tasksim installed,
 * or in the current folder, where the user may install it later.
 */
function schemaPath(file: string): string {
  const folder = dirname(resolve(file))
  const base = withParents(folder).find((parent) => existsSync(join(parent, SCHEMA))) ?? process.cwd()
  const path = relative(folder, join(base, SCHEMA)).split(sep).join('/')
  return path.startsWith('.') ? path : `./${path}`
}

function withParents(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...withParents(parent)]
}
