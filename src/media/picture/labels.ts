import type { Font } from './glyph.js'
import type { Palette } from './palettes.js'
import { rectangle, roundedRectangle } from './paths.js'
import type { Shape, Subject } from './scene.js'
import { splitWords } from './split-words.js'
import { LINE_HEIGHT, layOutLine, layOutText } from './text-layout.js'
import { textShapes } from './text-shapes.js'

const WHITE = '#ffffff'
const BADGE = 'simulated'
/** In pixels. A smaller picture gets no caption, and smaller letters are not drawn. */
const MIN_CAPTION_SIDE = 160
const MIN_LETTER_SIZE = 5

/** The text on a picture: the prompt, the model, the size and the badge "simulated". */
export function labelShapes(font: Font, subject: Subject, palette: Palette): Shape[] {
  const { width, height } = subject
  const side = Math.min(width, height)
  if (side < MIN_CAPTION_SIDE) return badge(font, subject, palette, Math.min(side * 0.16, 14))
  return [...caption(font, subject, palette), ...badge(font, subject, palette, Math.max(11, side * 0.021))]
}

function caption(font: Font, { width, height, prompt, model }: Subject, { deep }: Palette): Shape[] {
  const side = Math.min(width, height)
  const margin = side * 0.06
  const small = Math.max(10, side * 0.021)
  const words = splitWords(prompt)
  const block = layOutText(font, words, {
    width: Math.min(width - 2 * margin, side * 2.2),
    height: Math.min(height * 0.4, side * 0.75),
    largest: side * 0.07,
    smallest: Math.max(12, side * 0.03),
  })
  const lineHeight = block.size * LINE_HEIGHT
  const lastBaseline = height - margin
  const firstBaseline = lastBaseline - small * 2.5 - (block.lines.length - 1) * lineHeight
  const details = layOutLine(font, `${shorten(model)}  ·  ${width} × ${height}`)
  const fittingScale = (width - 2 * margin) / details.width
  return [
    scrim(width, height, Math.max(0, firstBaseline - block.size * 2.6), deep),
    ...block.lines.flatMap((line, index) =>
      textShapes(line, [margin, firstBaseline + index * lineHeight], { size: block.size, color: WHITE }),
    ),
    ...textShapes(details, [margin, lastBaseline], {
      size: Math.min(small, fittingScale * 1_000),
      color: WHITE,
      opacity: 0.72,
    }),
  ]
}

const MAX_MODEL_LENGTH = 60

function shorten(model: string): string {
  const clean = splitWords(model).flat().join('')
  return clean.length <= MAX_MODEL_LENGTH ? clean : `${clean.slice(0, MAX_MODEL_LENGTH)}…`
}

/** Darkens the lower part, so that white text is readable. */
function scrim(width: number, height: number, top: number, color: Palette['deep']): Shape {
  return {
    path: rectangle(0, top, width, height - top),
    fill: {
      from: [0, top],
      to: [0, height],
      stops: [
        { at: 0, color, opacity: 0 },
        { at: 0.35, color, opacity: 0.56 },
        { at: 1, color, opacity: 0.86 },
      ],
    },
  }
}

function badge(font: Font, { width, height }: Subject, { deep }: Palette, wanted: number): Shape[] {
  const line = layOutLine(font, BADGE)
  const largest = (width * 0.86 * 1_000) / (line.width + 1_400)
  const size = Math.min(wanted, largest)
  if (size < MIN_LETTER_SIZE) return []
  const [badgeWidth, badgeHeight] = [(line.width * size) / 1_000 + size * 1.4, size * 1.9]
  const margin = Math.max(Math.min(width, height) * 0.045, 2)
  const x = width - Math.min(margin, (width - badgeWidth) / 2) - badgeWidth
  return [
    {
      path: roundedRectangle(x, margin, badgeWidth, badgeHeight, badgeHeight / 2),
      fill: deep,
      opacity: 0.55,
    },
    ...textShapes(line, [x + size * 0.7, margin + badgeHeight * 0.66], { size, color: WHITE, opacity: 0.95 }),
  ]
}
