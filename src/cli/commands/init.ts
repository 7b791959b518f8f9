import { existsSync, writeFileSync } from 'node:fs'
import { UsageError } from '../../engine/errors.js'
import { invocation } from '../invocation.js'
import type { LazyCommand } from '../lazy-command.js'
import { flush, print } from '../output.js'
import { schemaPlace } from '../schema-place.js'
import { starter } from '../starter.js'

interface InitArguments {
  file: string
  force: boolean
}

/** Writes a commented scenario file to begin with. */
export const initCommand: LazyCommand<InitArguments> = {
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', default: 'tasksim.yaml', describe: 'Where to write it, as YAML' })
      .option('force', { type: 'boolean', default: false, describe: 'Overwrite an existing file' }),
  handler({ file, force }) {
    if (/\.json$/i.test(file)) {
      throw new UsageError(
        `Cannot write ${file}: the starter scenario is YAML with comments. Give a name that ends in .yaml.`,
      )
    }
    if (existsSync(file) && !force) {
      throw new UsageError(`${file} exists already. Give another name, or --force to overwrite it.`)
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
    writeFileSync(file, starter(schemaPlace(file)))
  } catch (error) {
    throw new UsageError(`Cannot write ${file}: ${(error as Error).message}`)
  }
}
