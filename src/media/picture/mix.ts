import type { Color } from './scene.js'

/** A colour between two: 0 is the first, 1 the second. */
export function mix(first: Color, second: Color, share: number): Color {
  const channels = [1, 3, 5].map((at) => {
    const [from, to] = [channel(first, at), channel(second, at)]
    return Math.round(from + (to - from) * share)
      .toString(16)
      .padStart(2, '0')
  })
  return `#${channels.join('')}`
}

function channel(color: Color, at: number): number {
  return Number.parseInt(color.slice(at, at + 2), 16)
}
