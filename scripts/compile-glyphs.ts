import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import opentype, { type Font, type PathCommand } from 'opentype.js'

const SUBSETS = ['latin', 'latin-ext', 'greek', 'cyrillic', 'vietnamese']

/** Letters, punctuation and currency signs. Prompts rarely have phonetic and mathematical characters. */
const COVERED: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0xa1, 0x24f],
  [0x370, 0x3ff],
  [0x400, 0x4ff],
  [0x1e80, 0x1eff],
  [0x2010, 0x2044],
  [0x20a0, 0x20bf],
  [0x2116, 0x2122],
  [0x2190, 0x2193],
  [0x2212, 0x2212],
]

/** Thousandths of the font's size. */
const UNITS = 1_000

/**
 * Extracts the outlines of a font, so that images do not depend on the fonts of the machine. Each character becomes its
 * advance and its path.
 */
export function compileGlyphs(): string {
  const glyphs: Record<string, string> = {}
  for (const subset of SUBSETS) {
    const font = load(`@fontsource/inter/files/inter-${subset}-500-normal.woff`)
    for (const code of covered()) {
      const character = String.fromCodePoint(code)
      if (character in glyphs || font.charToGlyphIndex(character) === 0) continue
      const { advanceWidth = 0 } = font.charToGlyph(character)
      const advance = Math.round((advanceWidth * UNITS) / font.unitsPerEm)
      const { commands } = font.getPath(character, 0, 0, UNITS)
      glyphs[character] = `${advance} ${pathOf(commands)}`
    }
  }
  return [
    '/**',
    ' * The outlines of Inter Medium (see docs/licenses/inter.txt) by character: the advance, and',
    ' * the path, in thousandths of the size.',
    ' */',
    `export const GLYPHS: Readonly<Record<string, string>> = ${JSON.stringify(glyphs)}`,
  ].join('\n')
}

function load(path: string): Font {
  const bytes = readFileSync(createRequire(import.meta.url).resolve(path))
  return opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer)
}

function covered(): number[] {
  return COVERED.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  )
}

/** Formats a path as text, without segments of zero length. */
function pathOf(commands: readonly PathCommand[]): string {
  const pieces = commands.map(format)
  return pieces
    .filter((piece, index) => piece.slice(1) !== pieces[index - 1]?.slice(1) || piece === 'Z')
    .join('')
}

function format(command: PathCommand): string {
  const point = (x: number, y: number) => `${Math.round(x)} ${Math.round(y)}`
  switch (command.type) {
    case 'M':
    case 'L':
      return `${command.type}${point(command.x, command.y)}`
    case 'Q':
      return `Q${point(command.x1, command.y1)} ${point(command.x, command.y)}`
    case 'C':
      return `C${point(command.x1, command.y1)} ${point(command.x2, command.y2)} ${point(command.x, command.y)}`
    case 'Z':
      return 'Z'
  }
}
