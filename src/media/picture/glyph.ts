/** How a character is set: its outline, or a neutral mark where the font has none. */
export type Glyph = { readonly advance: number } & (
  | { readonly outline: string }
  /** A stroke as long as the word, a tile for scripts without gaps between words, a disc for a symbol. */
  | { readonly mark: 'stroke' | 'tile' | 'disc' }
)

export type Font = Readonly<Record<string, string>>

const SYMBOL = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u
const FIRST_WIDE = 0x2e80

/** The glyph of a character as people count them; advances are in thousandths of the font's size. */
export function glyphOf(font: Font, character: string): Glyph {
  const [base = ''] = character
  // Accents that have no glyph together with their letter are left out, however many there are.
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
