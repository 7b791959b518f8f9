/** Longer runs of text are counted piece by piece: a tokenizer's time grows faster than a word's length. */
const PIECE = 2_000

/** What is beyond this is estimated from what is before it, so that a huge input costs a bounded time. */
const COUNTED = 200_000

/** What a model would take for a control token is, in a prompt, text like any other. */
const AS_TEXT = { disallowedSpecial: new Set<string>() }

/**
 * The beginning of a text that has at most `limit` tokens, and no half of a character at its end.
 * @returns the text itself where it is no longer
 */
export async function firstTokens(text: string, limit: number): Promise<string> {
  if (limit === Infinity) return text
  const { encode, decode } = await import('gpt-tokenizer')
  let left = limit
  for (const { start, piece } of piecesOf(text)) {
    const tokens = encode(piece, AS_TEXT)
    if (tokens.length > left) {
      const decoded = decode(tokens.slice(0, left)).replace(/\uFFFD+$/, '')
      // Where tokens end in the middle of characters, what is decoded may be another text.
      const isTrue = piece.startsWith(decoded)
      return (
        text.slice(0, start) +
        (isTrue ? decoded : longest(piece, (part) => encode(part, AS_TEXT).length <= left))
      )
    }
    left -= tokens.length
  }
  return text
}

/** The longest beginning of a text for which something holds, by halves; it holds for nothing at all. */
function longest(text: string, holds: (part: string) => boolean): string {
  const characters = [...text]
  let most = characters.length
  let least = 0
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (holds(characters.slice(0, middle).join(''))) least = middle
    else most = middle - 1
  }
  return characters.slice(0, least).join('')
}

/** How many tokens a text has, by the tokenizer of current chat models. The tokenizer is loaded on first use. */
export async function countTokens(text: string): Promise<number> {
  const { countTokens: count } = await import('gpt-tokenizer')
  const counted = text.slice(0, COUNTED)
  let tokens = 0
  for (const { piece } of piecesOf(counted)) tokens += count(piece, AS_TEXT)
  return counted.length === text.length ? tokens : Math.round((tokens * text.length) / COUNTED)
}

function* piecesOf(text: string): Generator<{ start: number; piece: string }> {
  for (let start = 0; start < text.length; start += PIECE)
    yield { start, piece: text.slice(start, start + PIECE) }
}
