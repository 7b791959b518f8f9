/** A body as the page shows it. */
interface BodyText {
  /** JSON is indented. */
  readonly text: string
  readonly isJson: boolean
}

/** The text of a body: indented if it is JSON, or else as it is. */
export function bodyText(body: unknown): BodyText {
  try {
    const value = typeof body === 'string' ? JSON.parse(body) : body
    const text = JSON.stringify(value, null, 2)
    return { text, isJson: true }
  } catch {
    return { text: String(body), isJson: false }
  }
}

/** Whether a body has more than so many characters. It stops as soon as that is certain. */
export function isLonger(body: unknown, limit: number): boolean {
  return lengthOf(body, limit) > limit
}

function lengthOf(value: unknown, limit: number): number {
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
