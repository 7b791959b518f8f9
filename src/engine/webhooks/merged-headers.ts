/** Merges headers. The last one with a name applies, whatever the case of its letters. */
export function mergedHeaders(
  ...lists: readonly (Readonly<Record<string, string>> | undefined)[]
): Record<string, string> {
  const byName = new Map<string, readonly [name: string, value: string]>()
  for (const [name, value] of lists.flatMap((headers) => Object.entries(headers ?? {})))
    byName.set(name.toLowerCase(), [name, value])
  return Object.fromEntries(byName.values())
}
