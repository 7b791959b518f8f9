/** What the file of a shipped scenario says, comments and all; undefined where there is none of this name. */
export async function shippedText(name: string): Promise<string | undefined> {
  const { TEXTS } = await import('../shipped-texts.generated.js')
  return Object.hasOwn(TEXTS, name) ? TEXTS[name] : undefined
}
