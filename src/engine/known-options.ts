import { UsageError } from './errors.js'
import { suggest } from './suggest.js'

/** Every option of a function by its name, so that the compiler finds an option that is missing or too many. */
export type OptionNames<Options extends object> = Readonly<Record<keyof Options, true>>

/**
 * Checks that an object has no other options than those of a function. TypeScript says so too, but not to everybody.
 * @param callee the function, as its caller writes it
 * @throws UsageError with the option that was probably meant
 */
export function checkOptionNames<Options extends object>(
  callee: string,
  options: Options,
  known: OptionNames<Options>,
): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name))
  if (unknown === undefined) return
  throw new UsageError(`${callee}() has no option \`${unknown}\`: ${suggest(unknown, Object.keys(known))}`)
}
