import type { ImageOrder } from '../engine/assets/media-order.js'
import { UsageError } from '../engine/errors.js'
import type { Gradient, Scene, Shape, Stop } from './picture/scene.js'

/* What the renderer needs of a browser, in place of platform.ts. */

/**
 * Draws a scene on a canvas. Where the browser has no encoder for the format, such as WebP in Safari, the canvas
 * gives a PNG.
 */
export async function draw(scene: Scene, format: ImageOrder['format']): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = new OffscreenCanvas(scene.width, scene.height)
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser gives no canvas to draw pictures on.')
  for (const shape of scene.shapes) fill(context, shape)
  const blob = await canvas.convertToBlob({ type: `image/${format}`, quality: 0.86 })
  return new Uint8Array(await blob.arrayBuffer())
}

/** A browser has no files to read. */
export async function readOwnFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  throw new UsageError(
    `Cannot hand out ${path}, which the scenario names under \`files\`: a browser has no disk.`,
  )
}

function fill(context: Context, { path, fill, opacity = 1 }: Shape): void {
  context.globalAlpha = opacity
  context.fillStyle = typeof fill === 'string' ? fill : gradient(context, fill)
  context.fill(new Path2D(path))
}

function gradient(context: Context, fill: Gradient): CanvasGradient {
  const made =
    'center' in fill
      ? context.createRadialGradient(...fill.center, 0, ...fill.center, fill.radius)
      : context.createLinearGradient(...fill.from, ...fill.to)
  for (const stop of fill.stops) made.addColorStop(stop.at, css(stop))
  return made
}

function css({ color, opacity = 1 }: Stop): string {
  return `${color}${Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0')}`
}

/* As much of the DOM as a picture needs; the rest of the package is compiled without it, and so is this. */

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
