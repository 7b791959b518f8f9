/** A body as the page shows it. */
interface BodyText {
  /** JSON is indented. */
  readonly text: string
  readonly isJson: boolean
}

/**
 * The text of a body: indented if it is JSON, or else as it is.
 * @param longest only so many characters at the beginning of the text matter, and take little time
 */
export function bodyText(body: unknown, longest = Infinity): BodyText {
  const cut = (_: string, each: unknown) =>
    typeof each === 'string' && each.length > longest ? each.slice(0, longest) : each
  try {
    const value = typeof body === 'string' ? JSON.parse(body) : body
    return { text: JSON.stringify(value, cut, 2), isJson: true }
  } catch {
    return { text: String(body), isJson: false }
  }
}

/** About how many characters a body has; at least the limit plus one, if it is longer than that. */
export function lengthOf(value: unknown, limit = Infinity): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 5
  let length = 2
  for (const key in value) {
    length += key.length + lengthOf((value as Record<string, unknown>)[key], limit - length)
    if (length > limit) break
  }
  return length
}

/** The beginning of a text, up to the end of a line if there is one near, so that it shows whole lines. */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text
  const end = text.lastIndexOf('\n', length)
  return text.slice(0, end > length / 2 ? end : length)
}
