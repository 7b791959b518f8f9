/** A character: its outline or, if the font has none, a neutral mark. */
export type Glyph = { readonly advance: number } & (
  | { readonly outline: string }
  /** A stroke for a word, a tile for scripts without spaces, a disc for a symbol. */
  | { readonly mark: 'stroke' | 'tile' | 'disc' }
)

export type Font = Readonly<Record<string, string>>

const SYMBOL = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u
const FIRST_WIDE = 0x2e80

/** The glyph of a grapheme. Advances are in thousandths of the font size. */
export function glyphOf(font: Font, character: string): Glyph {
  const [base = ''] = character
  // A letter without a glyph for its accents is drawn without them.
  const drawn = Object.hasOwn(font, character)
    ? font[character]
    : Object.hasOwn(font, base)
      ? font[base]
      : undefined
  if (drawn !== undefined && !SYMBOL.test(character.slice(base.length))) {
    const gap = drawn.indexOf(' ')
    return { advance: Number(drawn.slice(0, gap)), outline: drawn.slice(gap + 1) }
  }
  if (SYMBOL.test(character)) return { advance: 1_000, mark: 'disc' }
  if ((base.codePointAt(0) ?? 0) >= FIRST_WIDE) return { advance: 960, mark: 'tile' }
  return { advance: 520, mark: 'stroke' }
}
