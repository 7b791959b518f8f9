import type { CommandModule, Options } from 'yargs'
import { COMMANDS } from '../commands.js'

/** The options of every command. */
const GENERAL: Readonly<Record<string, Options>> = {
  help: { type: 'boolean', alias: 'h', describe: 'Show help' },
  version: { type: 'boolean', alias: 'v', describe: 'Show version number' },
}

/** A command with its options and arguments. */
export interface CalledCommand {
  /** Empty if the command line names no command, so that `serve` runs. */
  readonly name: string
  /** The usage, such as `exec [scenario]`. */
  readonly usage: string
  readonly options: ReadonlyMap<string, Options>
  readonly positionals: readonly (readonly [name: string, options: Options])[]
}

/** The names of all commands. */
export const COMMAND_NAMES: readonly string[] = COMMANDS.flatMap(namesOf)

/** Finds the command for the words of a command line. */
export async function findCalledCommand([first = '']: readonly string[]): Promise<CalledCommand> {
  const command = COMMANDS.find((candidate) => namesOf(candidate).includes(first)) ?? COMMANDS[0]
  const { usage, parameters } = await describeCommand(command as CommandModule)
  const entries = (isPositional: boolean) =>
    parameters
      .filter((parameter) => parameter.isPositional === isPositional)
      .map(({ name, options }) => [name, options] as const)
  return {
    name: COMMAND_NAMES.includes(first) ? first : '',
    usage: usage.replace(/^\$0 ?/, ''),
    options: new Map([...entries(false), ...Object.entries(GENERAL)]),
    positionals: entries(true),
  }
}

/** The name and the aliases of a command. */
function namesOf({ command }: CommandModule): string[] {
  const usages = [command ?? ''].flat()
  return usages.map((usage) => usage.split(' ')[0] ?? '').filter((name) => name !== '$0')
}

/** Finds the option of a word, such as `--port`, `--port=1` or `-p`. */
export function optionIn(word: string, options: CalledCommand['options']): [string, Options] | undefined {
  // A short option may be followed by its value, as in -p4010.
  const written = /^-\w(?![\w-])/.exec(word)?.[0] ?? word.split('=')[0] ?? ''
  return [...options].find(([name, { alias = [] }]) => {
    const spellings = [name, camelCase(name), ...[alias].flat()]
    return spellings.some((spelling) => [dashed(spelling), `--no-${spelling}`].includes(written))
  })
}

/** Formats an option name for a command line, such as `--port`. */
export function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`
}

/** The name of an option in the arguments of yargs, which has the dashed one as well. */
export function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** An argument or an option of a command. */
export interface Parameter {
  readonly name: string
  readonly options: Options
  readonly isPositional: boolean
}

/** A command, as its builder describes it to yargs. */
export interface CommandDescription {
  /** Such as `exec [scenario]`. */
  readonly usage: string
  /** Alternative usages. */
  readonly aliases: readonly string[]
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly examples: readonly (readonly [line: string, text: string])[]
}

/** Reads the arguments, options and examples of a command without parsing a command line. */
export async function describeCommand({
  command,
  describe,
  builder,
}: CommandModule): Promise<CommandDescription> {
  const [usage = '', ...aliases] = [command ?? ''].flat()
  const parameters: Parameter[] = []
  const examples: [string, string][] = []
  // Replaces yargs and records the calls of the builder.
  const recorder: object = new Proxy(
    {},
    {
      // `await` would treat an object with a `then` method as a promise.
      get: (_, method) => method !== 'then' && record(method),
    },
  )
  function record(method: string | symbol) {
    return (first: unknown, second: unknown) => {
      const add = (name: string, options: unknown) =>
        parameters.push({ name, options: options as Options, isPositional: method === 'positional' })
      if (method === 'positional' || method === 'option') add(first as string, second)
      if (method === 'options')
        for (const [name, options] of Object.entries(first as object)) add(name, options)
      if (method === 'example') examples.push([first as string, second as string])
      return recorder
    }
  }
  if (typeof builder === 'function') await builder(recorder as never)
  return { usage, aliases, description: String(describe), parameters, examples }
}
