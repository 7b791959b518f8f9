import type { JsonObject } from '../../../engine/json.js'
import type { ObservedTask } from '../../history/observed-task.js'

/** The input and the output of a successful task. */
export interface OutputSample {
  readonly input: JsonObject
  readonly output: JsonObject
}

const KEPT = 40
/** Characters of JSON. A template of a longer output would be of no use. */
const LONGEST = 10_000

/** The first outputs of successful tasks. */
export class OutputSamples {
  readonly #kept: OutputSample[] = []

  get all(): readonly OutputSample[] {
    return this.#kept
  }

  add({ status, input = {}, output }: ObservedTask): void {
    if (status !== 'succeeded' || output === undefined || this.#kept.length >= KEPT) return
    if (JSON.stringify(output).length <= LONGEST) this.#kept.push({ input, output })
  }
}
