import type { Palette } from '../palettes.js'
import { circle, rectangle } from '../paths.js'
import type { Color, Point, Shape } from '../scene.js'
import type { Canvas } from './canvas.js'

/** The background: three colours from top to bottom, a little aslant. */
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

/** A disc with a light around it. */
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
