import type { Random } from '../../../engine/random.js'
import type { Palette } from '../palettes.js'
import { circle, rectangle } from '../paths.js'
import type { Color, Point, Shape } from '../scene.js'

/** The size of a picture and its source of randomness. */
export interface Canvas {
  readonly width: number
  readonly height: number
  readonly random: Random
}

/** Draws everything behind the text. */
export type Backdrop = (canvas: Canvas, palette: Palette) => Shape[]

/** Draws a number between two bounds. */
export function randomBetween({ random }: Canvas, low: number, high: number): number {
  return low + random.float() * (high - low)
}

/** The background: a slightly tilted gradient of three colors. */
export function sky({ width, height, random }: Canvas, { sky: [top, middle, low] }: Palette): Shape {
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
export function sun(center: Point, radius: number, color: Color): Shape[] {
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
