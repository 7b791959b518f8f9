import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ImageSpec } from '../engine/assets/media-spec.js'
import { UsageError } from '../engine/errors.js'
import { formatNumber } from './picture/paths.js'
import type { Gradient, Scene, Shape, Stop } from './picture/scene.js'

/*
 * The platform functions for Node. Browsers get platform.browser.ts with the same exports: bundlers by the `browser`
 * field of package.json, the compiler by `moduleSuffixes`.
 */

/** The maximum size of a file, because the whole file is read into memory. */
const MAX_BYTES = 256 * 1024 * 1024

/** Draws a scene in the threads of libvips, which does not block requests. */
export async function draw(scene: Scene, format: ImageSpec['format']): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import('sharp')
  // One thread per picture: the renderer limits the number of concurrent pictures.
  sharp.concurrency(1)
  const picture = sharp(Buffer.from(toSvg(scene))).flatten({ background: '#ffffff' })
  const encoded = {
    png: () => picture.png({ compressionLevel: 6 }),
    jpeg: () => picture.jpeg({ quality: 86 }),
    webp: () => picture.webp({ quality: 84, effort: 3 }),
  }[format]()
  return new Uint8Array(await encoded.toBuffer())
}

/**
 * Reads a file of the scenario. Its path was checked when the scenario was loaded; a symbolic link that replaced the
 * file since then is rejected.
 * @throws UsageError if the file cannot be read
 */
export async function readOwnFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    try {
      const { size } = await file.stat()
      if (size > MAX_BYTES) throw new UsageError(`it is larger than ${MAX_BYTES / 1024 / 1024} MiB`)
      return new Uint8Array(await file.readFile())
    } finally {
      await file.close()
    }
  } catch (error) {
    throw new UsageError(`Cannot read ${path} from \`files\` of the scenario: ${(error as Error).message}`)
  }
}

/** Converts a scene to SVG. The SVG contains no text from the client, so nothing needs escaping. */
export function toSvg({ width, height, shapes }: Scene): string {
  const body = shapes.map((shape, index) => shapeToSvg(shape, `g${index}`)).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${body}</svg>`
}

function shapeToSvg({ path, fill, opacity = 1 }: Shape, id: string): string {
  const transparency = opacity === 1 ? '' : ` fill-opacity="${formatNumber(opacity)}"`
  if (typeof fill === 'string') return `<path d="${path}" fill="${fill}"${transparency}/>`
  return `${gradient(fill, id)}<path d="${path}" fill="url(#${id})"${transparency}/>`
}

function gradient(fill: Gradient, id: string): string {
  const stops = fill.stops.map(stop).join('')
  const common = `id="${id}" gradientUnits="userSpaceOnUse"`
  if ('center' in fill) {
    const [x, y] = fill.center.map(formatNumber)
    return `<radialGradient ${common} cx="${x}" cy="${y}" r="${formatNumber(fill.radius)}">${stops}</radialGradient>`
  }
  const [x1, y1, x2, y2] = [...fill.from, ...fill.to].map(formatNumber)
  return `<linearGradient ${common} x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}">${stops}</linearGradient>`
}

function stop({ at, color, opacity = 1 }: Stop): string {
  const transparency = opacity === 1 ? '' : ` stop-opacity="${formatNumber(opacity)}"`
  return `<stop offset="${formatNumber(at)}" stop-color="${color}"${transparency}/>`
}
