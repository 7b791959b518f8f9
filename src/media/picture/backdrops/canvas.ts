import type { Random } from '../../../engine/random.js'
import type { Palette } from '../palettes.js'
import type { Shape } from '../scene.js'

/** What a backdrop is drawn on, and by which chance. */
export interface Canvas {
  readonly width: number
  readonly height: number
  readonly random: Random
}

/** Draws all that is behind the text. */
export type Backdrop = (canvas: Canvas, palette: Palette) => Shape[]

/** A number between two. */
export function between({ random }: Canvas, low: number, high: number): number {
  return low + random.float() * (high - low)
}
