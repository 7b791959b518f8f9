import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs'

/** A command without its name and description. */
interface Command<Arguments> {
  builder(yargs: Argv): Argv<Arguments>
  handler(args: ArgumentsCamelCase<Arguments>): Promise<void> | void
}

/** Defines a command. The types of its arguments follow from its options. */
export function defineCommand<Arguments>(command: Command<Arguments>): Command<Arguments> {
  return command
}

/** The arguments of a command, from the function that declares its options. */
export type ArgumentsOf<Builder extends (yargs: Argv) => unknown> =
  ReturnType<Builder> extends Argv<infer Arguments> ? ArgumentsCamelCase<Arguments> : never

/** Creates a command whose module is loaded on first use, so that other commands start faster. */
export function lazily<Arguments>(
  command: string | readonly string[],
  describe: string,
  load: () => Promise<{ readonly command: Command<Arguments> }>,
): CommandModule {
  return {
    command,
    describe,
    builder: async (yargs) => (await load()).command.builder(yargs),
    handler: async (args) => (await load()).command.handler(args as ArgumentsCamelCase<Arguments>),
  }
}
