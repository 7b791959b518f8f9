/**
 * Something was asked for that cannot be done as asked: a bad option, an unknown name, an unusable file.
 * The message says what failed, what was given and what to do; no stack trace is needed to understand it.
 */
export class UsageError extends Error {
  /** Tells it from other errors. */
  override readonly name: string = 'UsageError'
}
