import { formatNumber } from './paths.js'
import type { Gradient, Scene, Shape, Stop } from './scene.js'

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
