import { suggest } from './suggest.js'

/**
 * A mistake in the use of tasksim: a bad option, an unknown name, an unusable file. The message says what failed, what
 * was given and what to do, so it needs no stack trace.
 */
export class UsageError extends Error {
  /** Distinguishes this error from others. */
  override readonly name: string = 'UsageError'
}

/**
 * Creates a handler for a failed import, which explains how to install a missing optional package.
 * @param feature the feature that needs the packages, as the start of a sentence
 * @returns a handler for `catch`; it rethrows any other error
 * @throws UsageError with the command that installs the packages
 */
export function onMissingPackage(feature: string, ...packages: readonly string[]): (error: unknown) => never {
  return (error) => {
    const { code, message = '' } = Object(error) as { code?: unknown; message?: string }
    const isMissing =
      code === 'ERR_MODULE_NOT_FOUND' && packages.some((name) => message.includes(`'${name}'`))
    if (!isMissing) throw error
    // British English has no comma before `and`.
    const needed = new Intl.ListFormat('en-GB').format(packages.map((name) => `\`${name}\``))
    // An entry point is imported from an installed package; a command may run without one, as with `npx`.
    const missing = feature.startsWith('tasksim/') ? packages : ['tasksim', ...packages]
    throw new UsageError(
      `${feature} needs ${needed}, which tasksim does not include. Install ${packages.length > 1 ? 'them' : 'it'}: npm install --save-dev ${missing.join(' ')}`,
      { cause: error },
    )
  }
}

/** The readable reason of an error: fetch hides it in the cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return cause.message === '' ? ((cause as { code?: string }).code ?? error.message) : cause.message
}

/** Lists every option of a function. The compiler reports a missing or unknown name. */
export type OptionNames<Options extends object> = Readonly<Record<keyof Options, true>>

/**
 * Checks that options are an object, for callers without TypeScript.
 * @param callee the function, as its caller writes it
 * @throws UsageError if they are anything else
 */
export function checkOptions(callee: string, options: unknown): void {
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return
  throw new UsageError(`${callee}() expects an object with options, got ${describeValue(options)}`)
}

/**
 * Checks that a value is a simulator, for callers without TypeScript.
 * @param callee the function, as its caller writes it
 * @throws UsageError if it is anything else
 */
export function checkSimulator(callee: string, sim: unknown): void {
  if (typeof sim === 'object' && sim !== null && 'createSandbox' in sim) return
  throw new UsageError(`${callee}() expects a simulator, got ${describeValue(sim)}`)
}

const LONGEST_DESCRIBED = 60

/** A value of any type for an error message: quoted if it is a string, and cut off if it is long. */
export function describeValue(value: unknown): string {
  const text = textOf(value)
  return text.length > LONGEST_DESCRIBED ? `${text.slice(0, LONGEST_DESCRIBED)}...` : text
}

function textOf(value: unknown): string {
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'number') return String(value)
  if (value instanceof Date && Number.isNaN(value.getTime())) return 'an invalid Date'
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return typeof value === 'object' ? 'an object' : String(value)
  }
}

/**
 * Checks that an object has no unknown options, for callers without TypeScript.
 * @param callee the function, as its caller writes it
 * @throws UsageError if it is not an object, or with the option that the caller probably meant
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
