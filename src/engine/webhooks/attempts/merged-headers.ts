/** Merges headers. The last one with a name applies, whatever the case of its letters. */
export function mergedHeaders(
  ...lists: readonly (Readonly<Record<string, string>> | undefined)[]
): Record<string, string> {
  const merged: Record<string, string> = {}
  for (const headers of lists) {
    for (const name in headers) {
      const spelling = spellingIn(merged, name)
      if (spelling !== undefined && spelling !== name) delete merged[spelling]
      merged[name] = headers[name] as string
    }
  }
  return merged
}

/** The name as it is in the headers; undefined if they do not contain it. */
function spellingIn(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  for (const known in headers)
    if (known.length === name.length && known.toLowerCase() === name.toLowerCase()) return known
  return undefined
}
