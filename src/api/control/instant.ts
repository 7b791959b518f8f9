/** An instant as JSON shows it: ISO 8601 UTC; left out where it is undefined. */
export function instant(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString()
}
