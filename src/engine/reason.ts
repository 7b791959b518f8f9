/** Why something failed, as a person understands it: fetch hides that in the cause of its error. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return cause.message === '' ? ((cause as { code?: string }).code ?? error.message) : cause.message
}
