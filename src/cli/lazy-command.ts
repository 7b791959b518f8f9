import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs'

/** What a command is, apart from its name. */
export interface LazyCommand<Arguments> {
  builder(yargs: Argv): Argv<Arguments> | Argv
  handler(args: ArgumentsCamelCase<Arguments>): Promise<void> | void
}

/** A command that is loaded when it is the one that was called: whoever serves a scenario should not wait for the others. */
export function lazily<Arguments>(
  command: string,
  describe: string,
  load: () => Promise<LazyCommand<Arguments>>,
): CommandModule<object, Arguments> {
  return {
    command,
    describe,
    builder: async (yargs) => (await load()).builder(yargs) as Argv<Arguments>,
    handler: async (args) => (await load()).handler(args),
  }
}
