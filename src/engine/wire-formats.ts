import type { Random } from './random.js'

/** The parts of wire formats that the engine needs to create tasks. */
export interface WireFormats {
  /** The name of the format of a task whose order names none. */
  readonly main: string
  /** Draws the id of a new task. */
  drawTaskId(format: string, random: Random): string
}
