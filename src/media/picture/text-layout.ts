/** A line of glyphs, with its width in thousandths of the font size. */
export interface Line {
  readonly glyphs: readonly Glyph[]
  readonly width: number
}

/** A text in lines, with its font size. */
export interface Block {
  readonly lines: readonly Line[]
  /** In pixels. */
  readonly size: number
}

/** In pixels. */
interface TextBox {
  readonly width: number
  readonly height: number
  readonly largest: number
  readonly smallest: number
}

export const LINE_HEIGHT = 1.28

const SHRINK = 0.9

/** Lays out words at the largest size that fits; at the smallest size, cuts them with an ellipsis. */
export function layOutText(font: Font, words: readonly (readonly string[])[], box: TextBox): Block {
  const glyphs = words.map((word) => word.map((character) => glyphOf(font, character)))
  const space = glyphOf(font, ' ')
  for (let size = box.largest; ; size *= SHRINK) {
    const isSmallest = size * SHRINK < box.smallest
    const lines = breakLines(glyphs, space, (box.width / size) * 1_000)
    const maxLines = Math.max(1, Math.floor(box.height / (size * LINE_HEIGHT)))
    if (lines.length <= maxLines) return { lines: lines.map(measureLine), size }
    if (isSmallest)
      return { lines: addEllipsis(lines.slice(0, maxLines), glyphOf(font, '…')).map(measureLine), size }
  }
}

/** Lays out one line of any width. */
export function layOutLine(font: Font, text: string): Line {
  return measureLine(Array.from(text, (character) => glyphOf(font, character)))
}

function breakLines(words: readonly (readonly Glyph[])[], space: Glyph, width: number): Glyph[][] {
  const lines: Glyph[][] = []
  let line: Glyph[] = []
  let used = 0
  for (const word of words.flatMap((whole) => splitWord(whole, width))) {
    const needed = widthOf(word)
    if (line.length > 0 && used + space.advance + needed > width) {
      lines.push(line)
      line = []
      used = 0
    }
    if (line.length > 0) line.push(space)
    used += needed + (line.length > 0 ? space.advance : 0)
    line.push(...word)
  }
  if (line.length > 0) lines.push(line)
  return lines
}

/** Splits a word into parts that fit into a line. */
function splitWord(word: readonly Glyph[], width: number): Glyph[][] {
  const parts: Glyph[][] = [[]]
  let used = 0
  for (const glyph of word) {
    if (used + glyph.advance > width && used > 0) {
      parts.push([])
      used = 0
    }
    parts.at(-1)?.push(glyph)
    used += glyph.advance
  }
  return parts
}

function addEllipsis(lines: Glyph[][], ellipsis: Glyph): Glyph[][] {
  const last = lines.at(-1) ?? []
  return [...lines.slice(0, -1), [...last.slice(0, Math.max(0, last.length - 2)), ellipsis]]
}

function measureLine(glyphs: readonly Glyph[]): Line {
  return { glyphs, width: widthOf(glyphs) }
}

function widthOf(glyphs: readonly Glyph[]): number {
  return glyphs.reduce((sum, { advance }) => sum + advance, 0)
}

/** A character: its outline or, if the font has none, a neutral mark. */
type Glyph = { readonly advance: number } & (
  | { readonly outline: string }
  /** A stroke for a word, a tile for scripts without spaces, a disc for a symbol. */
  | { readonly mark: 'stroke' | 'tile' | 'disc' }
)

export type Font = Readonly<Record<string, string>>

const SYMBOL = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u
const FIRST_WIDE = 0x2e80

/** The glyph of a grapheme. Advances are in thousandths of the font size. */
function glyphOf(font: Font, character: string): Glyph {
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
