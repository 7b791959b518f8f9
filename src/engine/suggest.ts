import leven from 'leven'

/** "did you mean X?", where X is near enough to have been meant; the valid words otherwise. */
export function suggest(word: string, known: readonly string[]): string {
  return nearest(word, known) ?? `expected ${list(known)}`
}

/** A longer word is no misspelling of a known one. */
const LONGEST_WORD = 60

/**
 * "did you mean X?", or undefined where none of the known words is near enough.
 * @param most how many letters may differ; some, depending on the length of the known word, unless given
 */
export function nearest(word: string, known: readonly string[], most = Infinity): string | undefined {
  if (word.length > LONGEST_WORD) return undefined
  const [first] = known
    .map((candidate) => ({ candidate, distance: leven(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  if (first === undefined || first.distance > Math.min(most, Math.max(2, first.candidate.length / 2)))
    return undefined
  return `did you mean \`${first.candidate}\`?`
}

/** Words as one would say them: `a`, `b` or `c`. */
export function list(words: readonly string[]): string {
  const quoted = words.map((word) => `\`${word}\``)
  if (quoted.length < 2) return quoted.join('')
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}
