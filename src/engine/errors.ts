/**
 * Something was asked for that cannot be done as asked: a bad option, an unknown name, an unusable file.
 * The message says what failed, what was given and what to do; no stack trace is needed to understand it.
 */
export class UsageError extends Error {
  /** Tells it from other errors. */
  override readonly name: string = 'UsageError'
}

/**
 * Says what to install where a module cannot be imported because an optional package is missing.
 * @param what needs the packages, as the beginning of a sentence
 * @returns a handler for `catch`, which throws any other error again
 * @throws UsageError with the command that installs the packages
 */
export function whereMissing(what: string, ...packages: readonly string[]): (error: unknown) => never {
  return (error) => {
    const { code, message = '' } = Object(error) as { code?: unknown; message?: string }
    const isMissing =
      code === 'ERR_MODULE_NOT_FOUND' && packages.some((name) => message.includes(`'${name}'`))
    if (!isMissing) throw error
    const needed = packages.map((name) => `\`${name}\``).join(' and ')
    throw new UsageError(
      `${what} needs ${needed}, which tasksim does not bring along. Install ${packages.length > 1 ? 'them' : 'it'}: npm install --save-dev tasksim ${packages.join(' ')}`,
      { cause: error },
    )
  }
}

/** Why something failed, as a person understands it: fetch hides that in the cause of its error. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return cause.message === '' ? ((cause as { code?: string }).code ?? error.message) : cause.message
}
