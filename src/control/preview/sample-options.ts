import type { Dialects } from '../../dialects/dialects.js'
import type { MemoryBudget } from '../../engine/memory/budget.js'

/** The options of a sample. */
export interface SampleOptions {
  readonly model: string
  /** How many create requests to send. */
  readonly tasks: number
  /** Milliseconds between two requests, on the clock of the sample. */
  readonly every: number
  readonly seed: string | undefined
  /** The memory budget to share. By default, the sample has a separate one. */
  readonly memory?: MemoryBudget
  /** The dialects that the scenario may name. By default, those that are built in. */
  readonly dialects?: Dialects
  /** Ends the sample early. */
  readonly signal?: AbortSignal | undefined
  /** Called repeatedly with the number of requests sent. */
  readonly onProgress?: (sent: number) => void
}
