import type { CommandModule, Options } from 'yargs'
import { COMMANDS } from '../commands.js'
import { describeCommand } from './describe-command.js'

/** What every command takes. */
const GENERAL: Readonly<Record<string, Options>> = {
  help: { type: 'boolean', alias: 'h', describe: 'Show help' },
  version: { type: 'boolean', alias: 'v', describe: 'Show version number' },
}

/** The command that is called, and what it takes. */
export interface Called {
  /** Empty where the command line names none, and the scenario is served. */
  readonly name: string
  /** How it is written, such as `exec [scenario]`. */
  readonly usage: string
  readonly options: ReadonlyMap<string, Options>
  readonly positionals: readonly (readonly [name: string, options: Options])[]
}

/** The names of all commands. */
export const COMMAND_NAMES: readonly string[] = COMMANDS.flatMap(namesOf)

/** Finds the command that the words of a command line call. */
export async function calledCommand([first = '']: readonly string[]): Promise<Called> {
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

/** The names that a command is called by. */
function namesOf({ command }: CommandModule): string[] {
  const usages = [command ?? ''].flat()
  return usages.map((usage) => usage.split(' ')[0] ?? '').filter((name) => name !== '$0')
}

/** The option that a word of a command line names, such as `--port`, `--port=1` or `-p`. */
export function optionIn(word: string, options: Called['options']): [string, Options] | undefined {
  const [written = ''] = word.split('=')
  return [...options].find(([name, { alias = [] }]) => {
    const spellings = [name, camelCase(name), ...[alias].flat()]
    return spellings.some((spelling) => [dashed(spelling), `--no-${spelling}`].includes(written))
  })
}

/** An option as it is written on a command line. */
export function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
