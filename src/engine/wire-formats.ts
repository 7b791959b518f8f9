import type { JsonObject } from './json.js'
import type { Random } from './random.js'

/** How long outputs and their URLs are valid, in milliseconds; the simulator's defaults apply to missing fields. */
export interface OutputTimes {
  /** The validity of an output URL. */
  readonly lifetime?: number | undefined
  /** How long outputs are kept. */
  readonly retention?: number | undefined
}

/** The parts of wire formats that the engine needs to create tasks. */
export interface WireFormats {
  /** The name of the format of a task whose order names none. */
  readonly main: string
  /** How long outputs and their URLs are valid by default; undefined if the format says nothing about that. */
  outputTimes(format: string): OutputTimes | undefined
  /**
   * Draws the id of a new task.
   * @param extra the values of its order that the wire format needs later
   */
  drawTaskId(format: string, random: Random, extra?: JsonObject): string
}
