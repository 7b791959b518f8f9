import type { Options } from 'yargs'
import { COMMANDS } from '../../src/cli/commands.js'
import {
  type CommandDescription,
  describeCommand,
  type Parameter,
} from '../../src/cli/parsing/called-command.js'
import { block, code, page, table } from './markdown.js'

/** Generates the reference of every command with its arguments and options. */
export async function cliReference(): Promise<string> {
  // The environment overrides some defaults.
  for (const name of Object.keys(process.env)) if (name.startsWith('TASKSIM_')) delete process.env[name]
  const commands = await Promise.all(COMMANDS.map(describeCommand))
  return page('Command line', INTRODUCTION, ...commands.map(section))
}

const INTRODUCTION =
  'The commands and options of `npx tasksim`. `tasksim --help` prints them too, as does `--help` (`-h`) after any command. `--version` (`-v`) prints the version. After a usage error, tasksim explains how to fix it and exits with status 1.'

function section({ usage, aliases, description, parameters, examples }: CommandDescription): string {
  const line = (text: string) => `tasksim ${text.replace(/^\$0 ?/, '')}`.trim()
  return [
    `## ${code(line(usage))}`,
    `${description}.${aliases.length === 0 ? '' : ` Also: ${aliases.map((alias) => code(line(alias))).join(', ')}.`}`,
    ...(parameters.length === 0 ? [] : [table(['', 'type', 'default', ''], parameters.map(row))]),
    ...(examples.length === 0
      ? []
      : [
          block(
            'text',
            examples.map(([example, what]) => `${line(example).padEnd(60)} # ${what}`).join('\n'),
          ),
        ]),
  ].join('\n\n')
}

function row({ name, options, isPositional }: Parameter): string[] {
  const { describe = '', demandOption, alias = [] } = options
  const names = [`--${name}`, ...[alias].flat().map((short) => `-${short}`)]
  return [
    isPositional ? code(name) : names.map(code).join(', '),
    typeOf(options),
    demandOption ? '**required**' : defaultOf(options),
    describe,
  ]
}

function typeOf({ type, choices, array }: Options): string {
  if (choices !== undefined) return choices.map((choice) => code(String(choice))).join(', ')
  const name = type === 'string' ? 'text' : (type ?? 'text')
  return array ? `${name}, repeatable` : name
}

function defaultOf({ default: value, defaultDescription }: Options): string {
  if (defaultDescription !== undefined) return defaultDescription
  if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) return ''
  return code(String(value))
}
