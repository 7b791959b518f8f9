/** Merges headers. The last one with a name applies, whatever the case of its letters. */
export function mergedHeaders(
  ...lists: readonly (Readonly<Record<string, string>> | undefined)[]
): Record<string, string> {
  const merged: Record<string, string> = {}
  /** The spelling of each name. */
  const spellings = new Map<string, string>()
  for (const headers of lists) {
    for (const name in headers) {
      const lowerCased = name.toLowerCase()
      const known = spellings.get(lowerCased)
      if (known !== undefined && known !== name) delete merged[known]
      if (known !== name) spellings.set(lowerCased, name)
      merged[name] = headers[name] as string
    }
  }
  return merged
}
