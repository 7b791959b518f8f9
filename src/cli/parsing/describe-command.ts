import type { CommandModule, Options } from 'yargs'

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
