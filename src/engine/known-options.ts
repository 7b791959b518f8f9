import { UsageError } from './errors.js'
import { suggest } from './suggest.js'

/** Lists every option of a function. The compiler reports a missing or unknown name. */
export type OptionNames<Options extends object> = Readonly<Record<keyof Options, true>>

/**
 * Checks that options are an object, for callers without TypeScript.
 * @param callee the function, as its caller writes it
 * @throws UsageError if they are anything else
 */
export function checkOptions(callee: string, options: unknown): void {
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return
  throw new UsageError(`${callee}() expects an object with options, got ${shown(options)}`)
}

/**
 * Checks that a value is a simulator, for callers without TypeScript.
 * @param callee the function, as its caller writes it
 * @throws UsageError if it is anything else
 */
export function checkSimulator(callee: string, sim: unknown): void {
  if (typeof sim === 'object' && sim !== null && 'catchUp' in sim) return
  throw new UsageError(`${callee}() expects a simulator, got ${shown(sim)}`)
}

const LONGEST_SHOWN = 100

/** A value of any type in a message. */
export function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, LONGEST_SHOWN)
  } catch {
    return typeof value === 'object' ? 'an object' : String(value)
  }
}

/**
 * Checks that an object has no unknown options, for callers without TypeScript.
 * @param callee the function, as its caller writes it
 * @throws UsageError if it is no object, or with the option that the caller probably meant
 */
export function checkOptionNames<Options extends object>(
  callee: string,
  options: Options,
  known: OptionNames<Options>,
): void {
  checkOptions(callee, options)
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name))
  if (unknown === undefined) return
  throw new UsageError(`${callee}() has no option \`${unknown}\`: ${suggest(unknown, Object.keys(known))}`)
}
