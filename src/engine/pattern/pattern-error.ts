/** A pattern that cannot be used; the message says why, and what to write instead. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}
