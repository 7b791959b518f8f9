import { existsSync } from 'node:fs'
import { basename, delimiter, dirname, extname, join, relative, resolve, sep } from 'node:path'
import { flawOfOwnName } from '../../dialects/dialects.js'
import { UsageError } from '../../engine/errors.js'
import { checkValue } from '../../scenario/check/check.js'
import { dialectName } from '../../scenario/schema/names.js'
import { defineCommand } from '../command.js'
import { requireNewFile, writeTextFile } from '../files/write-text-file.js'
import { dialectStarter, scenarioStarter } from '../init/starters.js'
import { forceOption } from '../options/options.js'
import { flush, print } from '../output.js'

/** A file to write. */
interface Starter {
  readonly file: string
  readonly noun: 'scenario' | 'dialect'
  /** The name of the JSON Schema. */
  readonly schema: string
  /** @param head the first lines, which name the JSON Schema; may be empty */
  text(head: string): string
  /** The arguments with which tasksim serves the file. */
  readonly use: string
}

/** Writes a commented starter file: a scenario or a dialect. */
export const command = defineCommand({
  builder: (yargs) =>
    yargs
      .positional('file', {
        type: 'string',
        defaultDescription: 'tasksim.yaml; acme.yaml with --dialect',
        describe: 'Path of the YAML file; with --dialect, its name is that of the dialect',
      })
      .option('dialect', {
        type: 'boolean',
        default: false,
        describe: 'Write a dialect file, the wire format of a service, instead of a scenario',
      })
      .option('force', forceOption)
      .example('$0 init --dialect acme', 'Write acme.yaml, the format of an invented service'),
  handler({ file, dialect, force }) {
    const starter = dialect ? dialectIn(file ?? 'acme.yaml') : scenarioIn(file ?? 'tasksim.yaml')
    if (/\.json$/i.test(starter.file)) {
      throw new UsageError(
        `Cannot write ${starter.file}: the starter ${starter.noun} is YAML with comments. Give a name that ends in .yaml.`,
      )
    }
    requireNewFile(starter.file, force)
    const schema = schemaPath(starter.file, starter.schema)
    writeTextFile(starter.file, starter.text(schema === undefined ? '' : headNaming(schema)))
    print(`Wrote ${starter.file}. Serve it with: ${invocation()} ${starter.use}`)
    if (schema === undefined) print(NO_SCHEMA)
    flush()
  },
})

function scenarioIn(file: string): Starter {
  return { file, noun: 'scenario', schema: 'scenario.schema.json', text: scenarioStarter, use: pathOf(file) }
}

/**
 * The dialect with the name of a file.
 * @param path without an extension, it is the name
 */
function dialectIn(path: string): Starter {
  const file = extname(path) === '' ? `${path}.yaml` : path
  const name = basename(file, extname(file))
  const result = checkValue(dialectName, name)
  const flaw = 'flaws' in result ? result.flaws[0]?.message : flawOfOwnName(name)
  if (flaw !== undefined) throw new UsageError(`Cannot name a dialect ${JSON.stringify(name)}: ${flaw}.`)
  return {
    file,
    noun: 'dialect',
    schema: 'dialect.schema.json',
    text: (head) => dialectStarter(head, name),
    use: `--dialect ${pathOf(file)}`,
  }
}

const NO_SCHEMA =
  'For completion and checks in an editor, install tasksim in the project (npm install --save-dev tasksim) before you write the file.'

/** The line in which editors look for the schema of a YAML file. */
function headNaming(schema: string): string {
  return `# yaml-language-server: $schema=${schema}\n#\n`
}

/**
 * The path of a JSON Schema, relative to a file, in the nearest parent folder that has tasksim installed, or is a clone
 * of it; undefined if there is none.
 */
function schemaPath(file: string, schema: string): string | undefined {
  const folder = dirname(resolve(file))
  const found = withParents(folder)
    .flatMap((parent) => [join(parent, 'node_modules/tasksim/dist', schema), ...inClone(parent, schema)])
    .find((candidate) => existsSync(candidate))
  if (found === undefined) return undefined
  const path = relative(folder, found).split(sep).join('/')
  return path.startsWith('.') ? path : `./${path}`
}

function inClone(folder: string, schema: string): readonly string[] {
  const isClone = existsSync(join(folder, 'src/cli/commands')) && existsSync(join(folder, 'scenarios'))
  return isClone ? [join(folder, 'dist', schema)] : []
}

function withParents(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...withParents(parent)]
}

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
function pathOf(file: string): string {
  return /[\\/]/.test(file) ? file : `./${file}`
}
