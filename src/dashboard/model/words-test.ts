/**
 * Compiles the text of a search into a predicate: all words must occur, in any case and order.
 * @returns a function of the searched text, which is built only if there are words
 */
export function wordsTest(text: string): (build: () => string) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return (build) => {
    if (words.length === 0) return true
    const searched = build().toLowerCase()
    return words.every((word) => searched.includes(word))
  }
}
