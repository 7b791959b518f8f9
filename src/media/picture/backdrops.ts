import type { Random } from '../../engine/random.js'
import { circle, path, rectangle, spline } from './paths.js'
import type { Color, Point, Shape } from './scene.js'
import { mixColors, type Palette } from './scene.js'

/** The size of a picture and its source of randomness. */
interface Canvas {
  readonly width: number
  readonly height: number
  readonly random: Random
}

/** Draws everything behind the text. */
export type Backdrop = (canvas: Canvas, palette: Palette) => Shape[]

/** Draws a number between two bounds. */
function randomBetween({ random }: Canvas, low: number, high: number): number {
  return low + random.float() * (high - low)
}

/** The background: a slightly tilted gradient of three colors. */
function sky({ width, height, random }: Canvas, { sky: [top, middle, low] }: Palette): Shape {
  const lean = (random.float() - 0.5) * 0.4 * width
  return {
    path: rectangle(0, 0, width, height),
    fill: {
      from: [width / 2 + lean, 0],
      to: [width / 2 - lean, height],
      stops: [
        { at: 0, color: top },
        { at: 0.55, color: middle },
        { at: 1, color: low },
      ],
    },
  }
}

/** A disc with a glow. */
function sun(center: Point, radius: number, color: Color): Shape[] {
  const reach = radius * 3.4
  const glow = [
    { at: 0, color, opacity: 0.5 },
    { at: 0.3, color, opacity: 0.24 },
    { at: 1, color, opacity: 0 },
  ]
  const disc = [
    { at: 0, color, opacity: 0.98 },
    { at: 1, color, opacity: 0.82 },
  ]
  return [
    { path: circle(center, reach), fill: { center, radius: reach, stops: glow } },
    { path: circle(center, radius), fill: { center, radius, stops: disc } },
  ]
}

const RANGES = 4

/** Ranges of mountains with mist between them. */
export const peaks: Backdrop = (canvas, palette) => {
  const { width, height } = canvas
  const side = Math.min(width, height)
  const center: Point = [randomBetween(canvas, 0.2, 0.8) * width, randomBetween(canvas, 0.14, 0.3) * height]
  const shapes = [
    sky(canvas, palette),
    ...sun(center, randomBetween(canvas, 0.06, 0.11) * side, palette.accents[2]),
  ]
  for (let range = 0; range < RANGES; range++) {
    const depth = range / (RANGES - 1)
    const top = height * (0.34 + 0.36 * depth)
    shapes.push({
      path: ridge(canvas, top, height * (0.17 - 0.08 * depth)),
      fill: {
        from: [0, top - height * 0.15],
        to: [0, Math.min(height, top + height * 0.4)],
        stops: [
          { at: 0, color: mixColors(palette.sky[0], palette.deep, depth), opacity: 0.5 + 0.45 * depth },
          { at: 1, color: mixColors(palette.sky[1], palette.deep, depth), opacity: 0.25 + 0.7 * depth },
        ],
      },
    })
  }
  return shapes
}

function ridge(canvas: Canvas, level: number, swing: number): string {
  const { width, height } = canvas
  const teeth = Math.max(5, Math.round((width / Math.min(width, height)) * 6)) + canvas.random.int(3)
  const points = Array.from({ length: teeth + 1 }, (_, tooth) => [
    ((tooth + randomBetween(canvas, -0.25, 0.25)) / teeth) * width * 1.1 - width * 0.05,
    level + (tooth % 2 === 0 ? randomBetween(canvas, 0.2, 0.9) : -randomBetween(canvas, 0.2, 1)) * swing,
  ])
  return path('M', -width, height, ...points.flatMap((point) => ['L', ...point]), 'L', 2 * width, height, 'Z')
}

const LAYERS = 5

/** A low sun over hills; nearer hills are darker. */
export const dunes: Backdrop = (canvas, palette) => {
  const { width, height } = canvas
  const side = Math.min(width, height)
  const center: Point = [randomBetween(canvas, 0.22, 0.78) * width, randomBetween(canvas, 0.2, 0.42) * height]
  const shapes = [
    sky(canvas, palette),
    ...sun(center, randomBetween(canvas, 0.11, 0.19) * side, palette.accents[2]),
  ]
  for (let layer = 0; layer < LAYERS; layer++) {
    const depth = layer / (LAYERS - 1)
    const near = mixColors(palette.sky[1], palette.deep, 0.15 + 0.8 * depth)
    shapes.push({
      path: hill(canvas, height * (0.46 + 0.42 * depth), height * (0.09 - 0.03 * depth)),
      fill: {
        from: [0, height * (0.4 + 0.42 * depth)],
        to: [0, height],
        stops: [
          { at: 0, color: mixColors(near, palette.accents[layer % 2 === 0 ? 0 : 1], 0.22) },
          { at: 1, color: near },
        ],
      },
      opacity: 0.72 + 0.26 * depth,
    })
  }
  return shapes
}

function hill(canvas: Canvas, level: number, swing: number): string {
  const { width, height } = canvas
  const bends = 3 + canvas.random.int(3)
  const step = (width * 1.3) / bends
  const start = -0.15 * width
  const points: Point[] = Array.from({ length: bends + 1 }, (_, index) => [
    start + (index + randomBetween(canvas, -0.18, 0.18)) * step,
    level + (index % 2 === 0 ? 1 : -1) * randomBetween(canvas, 0.25, 1) * swing,
  ])
  const [last] = points.at(-1) ?? [width]
  return path('M', spline(points), 'L', last, height, 'L', start - step, height, 'Z')
}

const BANDS = 6

/** Wavy bands from side to side. */
export const ribbons: Backdrop = (canvas, palette) => {
  const { width, height } = canvas
  const bends = randomBetween(canvas, 0.8, 1.6)
  const phase = randomBetween(canvas, 0, 2 * Math.PI)
  const rise = randomBetween(canvas, -0.35, 0.35) * height
  const bands = Array.from({ length: BANDS }, (_, band) => {
    const color = palette.accents[band % palette.accents.length] ?? palette.accents[0]
    const top = edge(canvas, {
      level: (0.08 + band * 0.13) * height,
      phase: phase + band * 0.35,
      bends,
      rise,
    })
    const low = edge(canvas, {
      level: (0.2 + band * 0.135) * height,
      phase: phase + band * 0.35 + 0.55,
      bends,
      rise,
    })
    return {
      path: path('M', spline(top), 'L', spline(low.reverse()), 'Z'),
      fill: {
        from: [0, 0] as const,
        to: [width, 0] as const,
        stops: [
          { at: 0, color, opacity: band % 2 === 0 ? 0.5 : 0.08 },
          { at: 1, color, opacity: band % 2 === 0 ? 0.08 : 0.5 },
        ],
      },
    }
  })
  return [sky(canvas, palette), ...bands]
}

interface Wave {
  readonly level: number
  readonly phase: number
  readonly bends: number
  readonly rise: number
}

const STEPS = 10

function edge({ width, height }: Canvas, { level, phase, bends, rise }: Wave): Point[] {
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const along = step / STEPS
    const swing = Math.sin(phase + along * bends * 2 * Math.PI) * 0.09 * height
    return [(along * 1.1 - 0.05) * width, level + swing + rise * (along - 0.5)]
  })
}

const COUNT = 9

/** Concentric circles. */
export const rings: Backdrop = (canvas, palette) => {
  const { width, height, random } = canvas
  const center: Point = [randomBetween(canvas, 0.15, 0.85) * width, randomBetween(canvas, 0.1, 0.5) * height]
  const reach = Math.hypot(width, height) * randomBetween(canvas, 0.75, 0.95)
  const first = random.int(3)
  const circles = Array.from({ length: COUNT }, (_, index) => {
    const radius = reach * (1 - index / COUNT) ** 1.35
    const color = palette.accents[(first + index) % palette.accents.length] ?? palette.accents[0]
    const stops = [
      { at: 0, color, opacity: 0.05 },
      { at: 0.82, color, opacity: 0.1 },
      { at: 1, color, opacity: 0.3 },
    ]
    return { path: circle(center, radius), fill: { center, radius, stops } }
  })
  const side = Math.min(width, height)
  return [sky(canvas, palette), ...circles, ...sun(center, side * 0.05, palette.accents[2])]
}

/** Large overlapping discs. */
export const bubbles: Backdrop = (canvas, palette) => {
  const { width, height, random } = canvas
  const side = Math.sqrt(width * height)
  const count = 7 + random.int(4)
  const discs = Array.from({ length: count }, (_, index) => {
    const color = palette.accents[index % palette.accents.length] ?? palette.accents[0]
    const radius = randomBetween(canvas, 0.09, 0.34) * side
    // The discs are spread over the width, so that no part stays empty.
    const center: Point = [
      ((index + randomBetween(canvas, 0, 1)) / count) * width,
      randomBetween(canvas, 0.02, 0.85) * height,
    ]
    const lit: Point = [center[0] - radius * 0.3, center[1] - radius * 0.4]
    const stops = [
      { at: 0, color, opacity: 0.62 },
      { at: 0.75, color, opacity: 0.3 },
      { at: 1, color, opacity: 0.14 },
    ]
    return { path: circle(center, radius), fill: { center: lit, radius: radius * 1.5, stops } }
  })
  return [sky(canvas, palette), ...discs]
}
