/** Reports a pattern that cannot be used. The message explains why, and what to write instead. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

/** A node in the syntax tree of a regular expression. */
export type PatternNode =
  /** One character. `raw` is its part of the expression, such as `a`, `\d` or `[^x]`. */
  | { readonly type: 'character'; readonly raw: string }
  | { readonly type: 'assertion'; readonly of: Assertion }
  | { readonly type: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly type: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly type: 'repeat'; readonly part: PatternNode; readonly min: number; readonly max: number }

/** A condition on a position: the start, the end, a word boundary, or no word boundary. */
export type Assertion = '^' | '$' | '\\b' | '\\B'

const MAX_CHARACTERS = 10_000
const MAX_LEVELS = 100

const GROUP = /\((?:\?(?:(<?[=!])|(?:<[^>]*>|:)|([^:]*)))?/uy
const CHARACTER =
  /\[(?:\\.|[^\\\]])*\]|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u\{[^}]*\}|\\u.{4}|\\x..|\\c.|\\[pP]\{[^}]*\}|\\.|./suy
const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y

const LOOKAROUND =
  'lookarounds such as (?!...) are not supported, because they cannot match in linear time: use two rules, the first for the exception'
const BACKREFERENCE =
  'backreferences such as \\1 are not supported, because they cannot match in linear time: write out the alternatives'
const INLINE_FLAGS = 'flags inside a pattern, such as (?i), are not supported: use `ignore_case: true`'

/**
 * Parses a JavaScript regular expression with the flag `u`.
 * @throws PatternError if it is not valid, or if it could take more than linear time
 */
export function parsePattern(text: string): PatternNode {
  if (text.length > MAX_CHARACTERS)
    throw new PatternError(`expected a pattern of at most ${MAX_CHARACTERS} characters, got ${text.length}`)
  try {
    new RegExp(text, 'u')
  } catch (error) {
    throw new PatternError(/\(\?[a-z-]+[):]/.test(text) ? INLINE_FLAGS : (error as Error).message)
  }
  return new Parser(text).choice()
}

/** Finds the structure of a valid expression. */
class Parser {
  readonly #text: string
  #position = 0
  #levels = 0

  constructor(text: string) {
    this.#text = text
  }

  choice(): PatternNode {
    const options = [this.#sequence()]
    while (this.#text[this.#position] === '|') {
      this.#position += 1
      options.push(this.#sequence())
    }
    return { type: 'choice', options }
  }

  #sequence(): PatternNode {
    const parts: PatternNode[] = []
    while (this.#position < this.#text.length && !'|)'.includes(this.#text[this.#position] ?? ''))
      parts.push(this.#repeated(this.#part()))
    return { type: 'sequence', parts }
  }

  #repeated(part: PatternNode): PatternNode {
    const [, sign, least, comma, most] = this.#match(QUANTIFIER) ?? []
    if (sign !== undefined)
      return { type: 'repeat', part, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity }
    if (least === undefined) return part
    const max = comma === undefined ? Number(least) : most ? Number(most) : Infinity
    return { type: 'repeat', part, min: Number(least), max }
  }

  #part(): PatternNode {
    const group = this.#match(GROUP)
    if (group !== undefined) return this.#group(group)
    const [raw = ''] = this.#match(CHARACTER) ?? []
    if (/^\\[1-9k]/.test(raw)) throw new PatternError(BACKREFERENCE)
    return isAssertion(raw) ? { type: 'assertion', of: raw } : { type: 'character', raw }
  }

  #group([, look, flags]: readonly (string | undefined)[]): PatternNode {
    if (look !== undefined) throw new PatternError(LOOKAROUND)
    if (flags !== undefined) throw new PatternError(INLINE_FLAGS)
    this.#levels += 1
    if (this.#levels > MAX_LEVELS)
      throw new PatternError(`expected at most ${MAX_LEVELS} levels of nested groups`)
    const inside = this.choice()
    this.#levels -= 1
    this.#position += 1
    return inside
  }

  #match(token: RegExp): RegExpExecArray | undefined {
    token.lastIndex = this.#position
    const match = token.exec(this.#text) ?? undefined
    if (match !== undefined) this.#position = token.lastIndex
    return match
  }
}

function isAssertion(raw: string): raw is Assertion {
  return raw === '^' || raw === '$' || raw === '\\b' || raw === '\\B'
}
