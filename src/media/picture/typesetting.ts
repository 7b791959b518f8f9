import { type Font, type Glyph, glyphOf } from './glyph.js'

/** Glyphs that stand side by side, and how wide they are in thousandths of the font's size. */
export interface Line {
  readonly glyphs: readonly Glyph[]
  readonly width: number
}

/** A text in lines, at a size. */
export interface Block {
  readonly lines: readonly Line[]
  /** In pixels. */
  readonly size: number
}

interface Room {
  /** All in pixels. */
  readonly width: number
  readonly height: number
  readonly largest: number
  readonly smallest: number
}

export const LINE_HEIGHT = 1.28
const SHRINK = 0.9

/** Sets words as large as there is room for them; what has no room at the smallest size ends in an ellipsis. */
export function typeset(font: Font, words: readonly (readonly string[])[], room: Room): Block {
  const set = words.map((word) => word.map((character) => glyphOf(font, character)))
  const space = glyphOf(font, ' ')
  for (let size = room.largest; ; size *= SHRINK) {
    const smallest = size * SHRINK < room.smallest
    const lines = breakLines(set, space, (room.width / size) * 1_000)
    const most = Math.max(1, Math.floor(room.height / (size * LINE_HEIGHT)))
    if (lines.length <= most) return { lines: lines.map(measured), size }
    if (smallest) return { lines: cut(lines.slice(0, most), glyphOf(font, '…')).map(measured), size }
  }
}

/** One line, whatever its width. */
export function typesetLine(font: Font, text: string): Line {
  return measured(Array.from(text, (character) => glyphOf(font, character)))
}

function breakLines(words: readonly (readonly Glyph[])[], space: Glyph, width: number): Glyph[][] {
  const lines: Glyph[][] = []
  let line: Glyph[] = []
  let used = 0
  for (const word of words.flatMap((whole) => pieces(whole, width))) {
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

/** A word in pieces that fit into a line. */
function pieces(word: readonly Glyph[], width: number): Glyph[][] {
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

function cut(lines: Glyph[][], ellipsis: Glyph): Glyph[][] {
  const last = lines.at(-1) ?? []
  return [...lines.slice(0, -1), [...last.slice(0, Math.max(0, last.length - 2)), ellipsis]]
}

function measured(glyphs: readonly Glyph[]): Line {
  return { glyphs, width: widthOf(glyphs) }
}

function widthOf(glyphs: readonly Glyph[]): number {
  return glyphs.reduce((sum, { advance }) => sum + advance, 0)
}
