import type { ArgumentsCamelCase, Argv, CommandModule } from 'yargs'

/** A command without its name and description. */
export interface LazyCommand<Arguments> {
  builder(yargs: Argv): Argv<Arguments> | Argv
  handler(args: ArgumentsCamelCase<Arguments>): Promise<void> | void
}

/** Creates a command whose module is loaded on first use, so that other commands start faster. */
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
