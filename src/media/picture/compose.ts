import type { Random } from '../../engine/random.js'
import type { Backdrop } from './backdrops.js'
import { bubbles, dunes, peaks, ribbons, rings } from './backdrops.js'
import { circle, formatNumber, rectangle, roundedRectangle } from './paths.js'
import type { Color, Point, Scene, Shape, Subject } from './scene.js'
import { PALETTES, type Palette } from './scene.js'
import type { Font } from './text-layout.js'
import { LINE_HEIGHT, type Line, layOutLine, layOutText } from './text-layout.js'

const BACKDROPS: readonly Backdrop[] = [dunes, bubbles, ribbons, peaks, rings]

/** Composes a picture. The same subject and random stream always give the same scene. */
export async function compose(subject: Subject, random: Random): Promise<Scene> {
  const { GLYPHS } = await import('./glyphs.generated.js')
  const { width, height } = subject
  const palette = pick(PALETTES, random)
  const backdrop = pick(BACKDROPS, random)
  const shapes = [...backdrop({ width, height, random }, palette), ...labelShapes(GLYPHS, subject, palette)]
  return { width, height, shapes }
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[random.int(items.length)] as Item
}

const WHITE = '#ffffff'
const BADGE = 'simulated'

/** In pixels. A smaller picture gets no caption, and smaller letters are not drawn. */
const MIN_CAPTION_SIDE = 160
const MIN_LETTER_SIZE = 5

/** The text on a picture: the prompt, the model, the size and the badge "simulated". */
function labelShapes(font: Font, subject: Subject, palette: Palette): Shape[] {
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

/** In characters; a picture has no space for a longer text. */
const MAX_LENGTH = 600

/** Control characters, format characters and unpaired surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Variation_Selector}]+/gu

/** Splits a text into words of visible graphemes. */
function splitWords(text: string): string[][] {
  const clean = text
    .slice(0, MAX_LENGTH)
    .replace(/[\s\u2028\u2029]+/gu, ' ')
    .replace(INVISIBLE, '')
    .normalize('NFC')
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
  return clean
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => Array.from(segmenter.segment(word), ({ segment }) => segment))
}

const MARK_OPACITY = 0.6

/** The height of lowercase letters and of marks, relative to the font size. */
const X_HEIGHT = 0.55

interface Style {
  readonly size: number
  readonly color: Color
  readonly opacity?: number
}

/** A line of text as shapes: the letters, and the marks of characters without an outline. */
function textShapes({ glyphs }: Line, [x, y]: Point, { size, color, opacity = 1 }: Style): Shape[] {
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
