import { isDeepStrictEqual } from 'node:util'
import type { Options } from 'yargs'

/** The name of the first option that has another value than its default; undefined if there is none. */
export function changedOption<Name extends string>(
  args: Readonly<Record<NoInfer<Name>, unknown>>,
  options: Readonly<Record<Name, Options>>,
): Name | undefined {
  const names = Object.keys(options) as Name[]
  return names.find((name) => !isDeepStrictEqual(args[name], options[name].default))
}
