/** What keeps a text from being JSON; undefined if it is. */
export function jsonFlaw(text: string): string | undefined {
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
