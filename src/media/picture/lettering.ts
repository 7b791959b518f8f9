import type { Font } from './glyph.js'
import { outlined } from './outlines.js'
import type { Palette } from './palettes.js'
import { rectangle, rounded } from './paths.js'
import { wordsOf } from './prose.js'
import type { Shape, Subject } from './scene.js'
import { LINE_HEIGHT, typeset, typesetLine } from './typesetting.js'

const WHITE = '#ffffff'
const MARK = 'simulated'
/** Below this many pixels a side has no room for a sentence, and letters of fewer pixels cannot be read. */
const SHORTEST_SIDE = 160
const SMALLEST_LETTERS = 5

/** What is written on a picture: the prompt, the model and the size, and that nothing of it is real. */
export function lettering(font: Font, subject: Subject, palette: Palette): Shape[] {
  const { width, height } = subject
  const side = Math.min(width, height)
  if (side < SHORTEST_SIDE) return badge(font, subject, palette, Math.min(side * 0.16, 14))
  return [...caption(font, subject, palette), ...badge(font, subject, palette, Math.max(11, side * 0.021))]
}

function caption(font: Font, { width, height, prompt, model }: Subject, { deep }: Palette): Shape[] {
  const side = Math.min(width, height)
  const margin = side * 0.06
  const small = Math.max(10, side * 0.021)
  const words = wordsOf(prompt)
  const block = typeset(font, words, {
    width: Math.min(width - 2 * margin, side * 2.2),
    height: Math.min(height * 0.4, side * 0.75),
    largest: side * 0.07,
    smallest: Math.max(12, side * 0.03),
  })
  const lineHeight = block.size * LINE_HEIGHT
  const foot = height - margin
  const head = foot - small * 2.5 - (block.lines.length - 1) * lineHeight
  const details = typesetLine(font, `${shortened(model)}  ·  ${width} × ${height}`)
  const room = (width - 2 * margin) / details.width
  return [
    scrim(width, height, Math.max(0, head - block.size * 2.6), deep),
    ...block.lines.flatMap((line, index) =>
      outlined(line, [margin, head + index * lineHeight], { size: block.size, color: WHITE }),
    ),
    ...outlined(details, [margin, foot], {
      size: Math.min(small, room * 1_000),
      color: WHITE,
      opacity: 0.72,
    }),
  ]
}

const LONGEST_MODEL = 60

function shortened(model: string): string {
  const clean = wordsOf(model).flat().join('')
  return clean.length <= LONGEST_MODEL ? clean : `${clean.slice(0, LONGEST_MODEL)}…`
}

/** Darkens the lower part, so that white letters can be read on whatever is there. */
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
  const line = typesetLine(font, MARK)
  const fits = (width * 0.86 * 1_000) / (line.width + 1_400)
  const size = Math.min(wanted, fits)
  if (size < SMALLEST_LETTERS) return []
  const [wide, high] = [(line.width * size) / 1_000 + size * 1.4, size * 1.9]
  const margin = Math.max(Math.min(width, height) * 0.045, 2)
  const x = width - Math.min(margin, (width - wide) / 2) - wide
  return [
    { path: rounded(x, margin, wide, high, high / 2), fill: deep, opacity: 0.55 },
    ...outlined(line, [x + size * 0.7, margin + high * 0.66], { size, color: WHITE, opacity: 0.95 }),
  ]
}
