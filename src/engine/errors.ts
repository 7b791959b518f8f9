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
