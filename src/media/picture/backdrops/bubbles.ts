import { circle } from '../paths.js'
import type { Point } from '../scene.js'
import { type Backdrop, randomBetween, sky } from './canvas.js'

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
