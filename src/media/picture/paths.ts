import type { Point } from './scene.js'

/** Rounds to hundredths, so that paths do not depend on the floating-point results of a machine. */
export function formatNumber(value: number): string {
  return String(Math.round(value * 100) / 100)
}

/** Joins commands and coordinates into a path. */
export function path(...pieces: readonly (string | number)[]): string {
  return pieces.map((piece) => (typeof piece === 'number' ? formatNumber(piece) : piece)).join(' ')
}

export function rectangle(x: number, y: number, width: number, height: number): string {
  return path('M', x, y, 'H', x + width, 'V', y + height, 'H', x, 'Z')
}

export function roundedRectangle(
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
): string {
  const r = Math.min(radius, width / 2, height / 2)
  const arc = (toX: number, toY: number) => path('A', r, r, 0, 0, 1, toX, toY)
  return path(
    'M',
    x + r,
    y,
    'H',
    x + width - r,
    arc(x + width, y + r),
    'V',
    y + height - r,
    arc(x + width - r, y + height),
    'H',
    x + r,
    arc(x, y + height - r),
    'V',
    y + r,
    arc(x + r, y),
    'Z',
  )
}

export function circle([x, y]: Point, radius: number): string {
  const half = (to: number) => path('A', radius, radius, 0, 1, 0, to, y)
  return path('M', x - radius, y, half(x + radius), half(x - radius), 'Z')
}

/** A Catmull-Rom spline through all points. */
export function spline(points: readonly Point[]): string {
  const at = (index: number): Point => points[Math.min(Math.max(index, 0), points.length - 1)] ?? [0, 0]
  return points
    .map((point, index) => {
      if (index === 0) return path(...point)
      const [before, from, to, after] = [at(index - 2), at(index - 1), point, at(index + 1)]
      const leaving = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6]
      const arriving = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6]
      return path('C', ...leaving, ...arriving, ...to)
    })
    .join(' ')
}
