/** Longer runs of text are counted piece by piece: a tokenizer's time grows faster than a word's length. */
const PIECE = 2_000

/** What is beyond this is estimated from what is before it, so that a huge input costs a bounded time. */
const COUNTED = 200_000

/** What a model would take for a control token is, in a prompt, text like any other. */
const AS_TEXT = { disallowedSpecial: new Set<string>() }

/**
 * The beginning of a text that has at most `limit` tokens.
 * @returns the text itself where it is no longer
 */
export async function firstTokens(text: string, limit: number): Promise<string> {
  const { encode, decode } = await import('gpt-tokenizer')
  const tokens = encode(text, AS_TEXT)
  return tokens.length <= limit ? text : decode(tokens.slice(0, limit))
}

/** How many tokens a text has, by the tokenizer of current chat models. The tokenizer is loaded on first use. */
export async function countTokens(text: string): Promise<number> {
  const { countTokens: count } = await import('gpt-tokenizer')
  const counted = text.slice(0, COUNTED)
  let tokens = 0
  for (let start = 0; start < counted.length; start += PIECE)
    tokens += count(counted.slice(start, start + PIECE), AS_TEXT)
  return counted.length === text.length ? tokens : Math.round((tokens * text.length) / COUNTED)
}
