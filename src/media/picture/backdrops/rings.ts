import { circle } from '../paths.js'
import type { Point } from '../scene.js'
import { type Backdrop, randomBetween, sky, sun } from './canvas.js'

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
