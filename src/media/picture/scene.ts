/** A colour, as #rrggbb; how much of it there is, is said beside it. */
export type Color = `#${string}`

/** Where a gradient has which colour: from 0 to 1. */
export interface Stop {
  readonly at: number
  readonly color: Color
  /** From 0, nothing, to 1. */
  readonly opacity?: number
}

/** A line or a circle along which colours change; in pixels. */
export type Gradient =
  | { readonly from: Point; readonly to: Point; readonly stops: readonly Stop[] }
  | { readonly center: Point; readonly radius: number; readonly stops: readonly Stop[] }

export type Point = readonly [x: number, y: number]

/** Something that is filled. */
export interface Shape {
  /** Its outline in the language of SVG paths, which a canvas understands as well. */
  readonly path: string
  readonly fill: Color | Gradient
  readonly opacity?: number
}

/** A picture before it is drawn: shapes on top of each other, and nothing that depends on a machine. */
export interface Scene {
  readonly width: number
  readonly height: number
  readonly shapes: readonly Shape[]
}

/** What a picture shows. */
export interface Subject {
  readonly width: number
  readonly height: number
  /** As it was sent: any text at all, of any length. */
  readonly prompt: string
  readonly model: string
}
