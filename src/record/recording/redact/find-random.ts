import type { Span } from './view.js'
import type { Found } from './views.js'

/** Shorter texts are often words and numbers, or ids that people can read. */
const SHORTEST = 20
const LONGEST = 200
const TOKEN = /(?<![\w+/=~-])[\w+/=~-]{20,}/g
/** A hash that replaces a text. */
const REDACTED = '[redacted '
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** How often the class of two letters or digits in a row differs, for each character: English names change less often. */
const FEWEST_CHANGES = 0.28
/** Of capital letters in a row, for each character of a text without digits. */
const FEWEST_CAPITALS = 0.1
/** Bits for each character. Random hexadecimal digits have up to 4. */
const LOWEST_ENTROPY = 3

/**
 * Finds texts that look random, as keys do. Ids look random as well, so those in known places must be left out.
 * @param known the places of URLs, whose paths have ids
 */
export function findRandom(text: string, known: readonly Span[], isId: (token: string) => boolean): Found[] {
  const found: Found[] = []
  let next = 0
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const end = index + token.length
    while ((known[next]?.end ?? Infinity) <= index) next += 1
    const isInUrl = (known[next]?.start ?? Infinity) < end
    if (isInUrl || text.startsWith(REDACTED, index - REDACTED.length) || isId(token)) continue
    // `name=value`, or a path.
    let start = index
    for (const part of token.split(/(?<==)(?=[^=])|(?<=\/)/)) {
      const plain = part.replace(/[=/]+$/, '')
      if (isRandom(plain) && !isId(plain)) found.push({ start, end: start + plain.length, isSecret: true })
      start += part.length
    }
    if (!isPath(token) && isRandom(token)) found.push({ start: index, end, isSecret: true })
  }
  return found
}

/** Base64 has few slashes. */
function isPath(token: string): boolean {
  const slashes = token.split('/').length - 1
  return token.startsWith('/') || slashes > 1 + token.length / 24
}

function isRandom(token: string): boolean {
  if (token.length < SHORTEST || token.length > LONGEST || UUID.test(token)) return false
  const plain = token.replace(/[^A-Za-z0-9]/g, '')
  return (
    plain.length >= SHORTEST - 2 &&
    (/\d/.test(plain) || capitalsIn(plain) >= FEWEST_CAPITALS * plain.length) &&
    changesIn(plain) >= FEWEST_CHANGES * plain.length &&
    entropyOf(plain) >= LOWEST_ENTROPY
  )
}

/** The number of capital letters that follow others, which names in camel case rarely have. */
function capitalsIn(text: string): number {
  return text.match(/[A-Z](?=[A-Z])/g)?.length ?? 0
}

function changesIn(text: string): number {
  let changes = 0
  let last = ''
  for (const character of text) {
    const kind = character <= '9' ? 'digit' : character <= 'Z' ? 'upper' : 'lower'
    if (last !== '' && kind !== last) changes += 1
    last = kind
  }
  return changes
}

/** The entropy of the characters of a text, in bits for each. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => {
    const share = count / text.length
    return sum - share * Math.log2(share)
  }, 0)
}
