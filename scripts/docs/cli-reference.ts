import type { CommandModule, Options } from 'yargs'
import { COMMANDS } from '../../src/cli/commands.js'
import { block, code, page, table } from './markdown.js'

/** What a command says of itself to yargs. */
interface Command {
  readonly usage: string
  readonly aliases: readonly string[]
  readonly description: string
  readonly parameters: readonly (readonly [name: string, options: Options, isPositional: boolean])[]
  readonly examples: readonly (readonly [line: string, what: string])[]
}

/** Every command with its arguments and options, as the commands themselves say. */
export async function cliReference(): Promise<string> {
  // Defaults that the environment changes are not those of everybody.
  for (const name of ['PORT', 'TASKSIM_WEBHOOK_SECRET']) delete process.env[name]
  const commands = await Promise.all(COMMANDS.map(read))
  return page('Command line', INTRODUCTION, ...commands.map(section))
}

const INTRODUCTION =
  'What `npx tasksim` can do. `tasksim --help`, and `--help` behind any command, say the same; a mistake is answered with what to do instead, and exit status 1.'

async function read({ command, describe, builder }: CommandModule): Promise<Command> {
  const [usage = '', ...aliases] = [command ?? ''].flat()
  const parameters: [string, Options, boolean][] = []
  const examples: [string, string][] = []
  // Stands in for yargs and writes down what it is told.
  const recorder: object = new Proxy(
    {},
    {
      // It must not be taken for a promise.
      get: (_, method) => method !== 'then' && record(method),
    },
  )
  function record(method: string | symbol) {
    return (first: unknown, second: unknown) => {
      if (method === 'positional') parameters.push([first as string, second as Options, true])
      if (method === 'option') parameters.push([first as string, second as Options, false])
      if (method === 'options')
        for (const [name, options] of Object.entries(first as object)) parameters.push([name, options, false])
      if (method === 'example') examples.push([first as string, second as string])
      return recorder
    }
  }
  if (typeof builder === 'function') await builder(recorder as never)
  return { usage, aliases, description: String(describe), parameters, examples }
}

function section({ usage, aliases, description, parameters, examples }: Command): string {
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

function row([name, options, isPositional]: Command['parameters'][number]): string[] {
  const { describe = '', demandOption } = options
  return [
    code(isPositional ? name : `--${name}`),
    typeOf(options),
    demandOption ? '**required**' : usual(options),
    describe,
  ]
}

function typeOf({ type, choices, array }: Options): string {
  if (choices !== undefined) return choices.map((choice) => code(String(choice))).join(', ')
  const name = type === 'string' ? 'text' : (type ?? 'text')
  return array ? `${name}, repeatable` : name
}

function usual({ default: value, defaultDescription }: Options): string {
  if (defaultDescription !== undefined) return defaultDescription
  if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) return ''
  return code(String(value))
}
