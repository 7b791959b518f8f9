import type { ImageSpec } from '../engine/assets/media-spec.js'
import { UsageError } from '../engine/errors.js'
import type { Gradient, Scene, Shape, Stop } from './picture/scene.js'

/* The platform functions for browsers. This file replaces platform.ts. */

/**
 * Draws a scene on a canvas. A browser without an encoder for the format, such as Safari for WebP, produces a PNG.
 */
export async function draw(scene: Scene, format: ImageSpec['format']): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = new OffscreenCanvas(scene.width, scene.height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('Failed to draw the picture: this browser provides no 2D canvas.')
  for (const shape of scene.shapes) fill(context, shape)
  const blob = await canvas.convertToBlob({ type: `image/${format}`, quality: 0.86 })
  return new Uint8Array(await blob.arrayBuffer())
}

/** @throws UsageError always: a browser cannot read files */
export async function readOwnFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  throw new UsageError(
    `Cannot read ${path} from \`files\` of the scenario: a browser cannot read files. Use a Node host.`,
  )
}

function fill(context: Context, { path, fill, opacity = 1 }: Shape): void {
  context.globalAlpha = opacity
  context.fillStyle = typeof fill === 'string' ? fill : gradient(context, fill)
  context.fill(new Path2D(path))
}

function gradient(context: Context, fill: Gradient): CanvasGradient {
  const result =
    'center' in fill
      ? context.createRadialGradient(...fill.center, 0, ...fill.center, fill.radius)
      : context.createLinearGradient(...fill.from, ...fill.to)
  for (const stop of fill.stops) result.addColorStop(stop.at, css(stop))
  return result
}

function css({ color, opacity = 1 }: Stop): string {
  return `${color}${Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0')}`
}

/* The necessary parts of the DOM; the package is compiled without its types. */

interface CanvasGradient {
  addColorStop(at: number, color: string): void
}

interface Context {
  globalAlpha: number
  fillStyle: string | CanvasGradient
  fill(path: object): void
  createRadialGradient(x0: number, y0: number, r0: number, x1: number, y1: number, r1: number): CanvasGradient
  createLinearGradient(x0: number, y0: number, x1: number, y1: number): CanvasGradient
}

declare const Path2D: new (path: string) => object

declare const OffscreenCanvas: new (
  width: number,
  height: number,
) => {
  getContext(kind: '2d'): Context | null
  convertToBlob(options: { type: string; quality: number }): Promise<Blob>
}
