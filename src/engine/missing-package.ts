import { UsageError } from './errors.js'

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
