import { mixColors } from '../palettes.js'
import { path, spline } from '../paths.js'
import type { Point } from '../scene.js'
import { type Backdrop, type Canvas, randomBetween, sky, sun } from './canvas.js'

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
