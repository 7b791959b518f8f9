import leven from 'leven'

/** "did you mean X?", where X is near enough to have been meant; the valid words otherwise. */
export function suggest(word: string, known: readonly string[]): string {
  const [nearest] = known
    .map((candidate) => ({ candidate, distance: leven(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  if (nearest !== undefined && nearest.distance <= Math.max(2, nearest.candidate.length / 2)) {
    return `did you mean \`${nearest.candidate}\`?`
  }
  return `expected ${list(known)}`
}

/** Words as one would say them: `a`, `b` or `c`. */
export function list(words: readonly string[]): string {
  const quoted = words.map((word) => `\`${word}\``)
  if (quoted.length < 2) return quoted.join('')
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`
}
