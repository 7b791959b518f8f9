import { circle, formatNumber, roundedRectangle } from './paths.js'
import type { Color, Point, Shape } from './scene.js'
import type { Line } from './text-layout.js'

const MARK_OPACITY = 0.6
/** The height of lowercase letters and of marks, relative to the font size. */
const X_HEIGHT = 0.55

interface Style {
  readonly size: number
  readonly color: Color
  readonly opacity?: number
}

/** A line of text as shapes: the letters, and the marks of characters without an outline. */
export function textShapes({ glyphs }: Line, [x, y]: Point, { size, color, opacity = 1 }: Style): Shape[] {
  let letters = ''
  let marks = ''
  let stroke = 0
  let at = x
  const endStroke = () => {
    const gap = size * 0.05
    if (stroke > 0)
      marks += roundedRectangle(
        at - stroke + gap,
        y - X_HEIGHT * size,
        stroke - 2 * gap,
        X_HEIGHT * size,
        size * 0.2,
      )
    stroke = 0
  }
  for (const glyph of glyphs) {
    const advance = (glyph.advance * size) / 1_000
    if ('outline' in glyph) {
      endStroke()
      letters += transform(glyph.outline, at, y, size / 1_000)
    } else if (glyph.mark === 'stroke') {
      stroke += advance
    } else {
      endStroke()
      const side = advance * 0.84
      const top = y + size * 0.06 - side
      marks +=
        glyph.mark === 'disc'
          ? circle([at + advance / 2, y - size * 0.34], side / 2)
          : roundedRectangle(at + (advance - side) / 2, top, side, side, side * 0.2)
    }
    at += advance
  }
  endStroke()
  return [
    { path: letters, fill: color, opacity },
    { path: marks, fill: color, opacity: opacity * MARK_OPACITY },
  ].filter(({ path }) => path !== '') as Shape[]
}

/** Moves and scales an outline, in which x and y coordinates alternate. */
function transform(outline: string, x: number, y: number, scale: number): string {
  let isX = false
  return outline.replace(/-?\d+/g, (number) => {
    isX = !isX
    return formatNumber(Number(number) * scale + (isX ? x : y))
  })
}
