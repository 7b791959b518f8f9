import leven from 'leven'

/** Returns "did you mean X?" if a known word is similar, or else the list of known words. */
export function suggest(word: string, known: readonly string[]): string {
  return nearest(word, known) ?? `expected ${list(known)}`
}

/** Longer words are not compared, because they are not misspellings. */
const LONGEST_WORD = 60

/**
 * Returns "did you mean X?" if a known word is similar.
 * @param most the maximum number of letters that differ; the length of the known word also limits it
 */
export function nearest(word: string, known: readonly string[], most?: number): string | undefined {
  const meant = nearestWord(word, known, most)
  return meant === undefined ? undefined : `did you mean \`${meant}\`?`
}

/** The known word that is most similar, as {@link nearest}. */
export function nearestWord(word: string, known: readonly string[], most = Infinity): string | undefined {
  if (word.length > LONGEST_WORD) return undefined
  const [first] = known
    .map((candidate) => ({ candidate, distance: leven(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  const isSimilar =
    first !== undefined && first.distance <= Math.min(most, Math.max(2, first.candidate.length / 2))
  return isSimilar ? first.candidate : undefined
}

/** Formats words as a list: `a`, `b` or `c`. */
export function list(words: readonly string[]): string {
  const quoted = words.map((word) => `\`${word}\``)
  if (quoted.length < 2) return quoted.join('')
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}
