/** An opaque color, as `#rrggbb`. */
export type Color = `#${string}`

/** A color of a gradient at a position from 0 to 1. */
export interface Stop {
  readonly at: number
  readonly color: Color
  /** From 0 (transparent) to 1. */
  readonly opacity?: number
}

/** A linear or radial gradient, in pixels. */
export type Gradient =
  | { readonly from: Point; readonly to: Point; readonly stops: readonly Stop[] }
  | { readonly center: Point; readonly radius: number; readonly stops: readonly Stop[] }

export type Point = readonly [x: number, y: number]

/** A filled shape. */
export interface Shape {
  /** The outline in SVG path syntax, which a canvas also accepts. */
  readonly path: string
  readonly fill: Color | Gradient
  readonly opacity?: number
}

/** A picture as a list of shapes, from back to front, independent of the platform. */
export interface Scene {
  readonly width: number
  readonly height: number
  readonly shapes: readonly Shape[]
}

/** The content of a picture. */
export interface Subject {
  readonly width: number
  readonly height: number
  /** Any text, as the client sent it. */
  readonly prompt: string
  readonly model: string
}

/** Matching colors. */
export interface Palette {
  /** The background, from top to bottom. */
  readonly sky: readonly [Color, Color, Color]
  readonly accents: readonly [Color, Color, Color]
  /** The background of the text, which is white. */
  readonly deep: Color
}

export const PALETTES: readonly Palette[] = [
  { sky: ['#26315f', '#8187c4', '#f3cdb8'], accents: ['#7fd1c8', '#f7a8a0', '#fff4ea'], deep: '#1b2348' },
  { sky: ['#0b3c49', '#2a7f86', '#f2e3bc'], accents: ['#f4a259', '#8cb369', '#fff8e7'], deep: '#072a33' },
  { sky: ['#3a1c4d', '#a04668', '#f6b38e'], accents: ['#ffd6a5', '#e56b6f', '#fff1e6'], deep: '#2a1238' },
  { sky: ['#12343b', '#2d545e', '#e1b382'], accents: ['#c89666', '#6fb3b8', '#fbf1e0'], deep: '#0c2529' },
  { sky: ['#1f3b73', '#4f86c6', '#d8ecf3'], accents: ['#ffd166', '#8ecae6', '#ffffff'], deep: '#142a55' },
  { sky: ['#2d3142', '#6b7a99', '#e8dcd0'], accents: ['#ef8354', '#bfc0c0', '#fff6ee'], deep: '#1f2230' },
  { sky: ['#14342b', '#4f8a6b', '#e6eed6'], accents: ['#f2c14e', '#bbdfc5', '#fbfff1'], deep: '#0d241d' },
  { sky: ['#4a1942', '#893168', '#eac4d5'], accents: ['#ff9e7a', '#b9a6e8', '#fff0f5'], deep: '#33102d' },
  { sky: ['#1c2541', '#5b6c9e', '#ffd7ba'], accents: ['#fec89a', '#83c5be', '#fffaf3'], deep: '#131a30' },
  { sky: ['#3b2c35', '#9c6b5f', '#f5dfbb'], accents: ['#d9ae94', '#f1a66a', '#fff8ea'], deep: '#2a1f26' },
]

/** Mixes two colors: a share of 0 gives the first, 1 the second. */
export function mixColors(first: Color, second: Color, share: number): Color {
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
