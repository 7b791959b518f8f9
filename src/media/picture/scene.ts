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
