import { circle, rounded, written } from './paths.js'
import type { Color, Point, Shape } from './scene.js'
import type { Line } from './typesetting.js'

const MARK_OPACITY = 0.6
/** The height of small letters, in shares of the size; marks are as high. */
const X_HEIGHT = 0.55

interface Style {
  readonly size: number
  readonly color: Color
  readonly opacity?: number
}

/** A line of text as shapes: the letters, and the marks of characters that have none. */
export function outlined({ glyphs }: Line, [x, y]: Point, { size, color, opacity = 1 }: Style): Shape[] {
  let letters = ''
  let marks = ''
  let stroke = 0
  let at = x
  const endStroke = () => {
    const gap = size * 0.05
    if (stroke > 0)
      marks += rounded(at - stroke + gap, y - X_HEIGHT * size, stroke - 2 * gap, X_HEIGHT * size, size * 0.2)
    stroke = 0
  }
  for (const glyph of glyphs) {
    const advance = (glyph.advance * size) / 1_000
    if ('outline' in glyph) {
      endStroke()
      letters += moved(glyph.outline, at, y, size / 1_000)
    } else if (glyph.mark === 'stroke') {
      stroke += advance
    } else {
      endStroke()
      const side = advance * 0.84
      const top = y + size * 0.06 - side
      marks +=
        glyph.mark === 'disc'
          ? circle([at + advance / 2, y - size * 0.34], side / 2)
          : rounded(at + (advance - side) / 2, top, side, side, side * 0.2)
    }
    at += advance
  }
  endStroke()
  return [
    { path: letters, fill: color, opacity },
    { path: marks, fill: color, opacity: opacity * MARK_OPACITY },
  ].filter(({ path }) => path !== '') as Shape[]
}

/** An outline at its place: numbers are x and y in turn, whatever stands between them. */
function moved(outline: string, x: number, y: number, scale: number): string {
  let isX = false
  return outline.replace(/-?\d+/g, (number) => {
    isX = !isX
    return written(Number(number) * scale + (isX ? x : y))
  })
}
