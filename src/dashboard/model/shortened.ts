const MAX_CHARACTERS = 300

/** Formats JSON, with only the beginnings of long texts, such as files as data URLs. */
export function shortened(text: string): string {
  try {
    return JSON.stringify(
      JSON.parse(text, (_, value: unknown) => beginningOf(value)),
      null,
      2,
    )
  } catch {
    return text
  }
}

function beginningOf(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= MAX_CHARACTERS) return value
  return `${value.slice(0, MAX_CHARACTERS)}… (${value.length} characters)`
}
