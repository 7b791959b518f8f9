import { describeBytes } from './keep-bytes.js'

/** Thrown if a new item would exceed the memory budget and nothing can be evicted for it. */
export class OverBudgetError extends Error {
  override readonly name = 'OverBudgetError'

  /** @param limit in bytes */
  constructor(limit: number) {
    super(
      `The ${describeBytes(limit)} that tasksim may keep in memory are in use by tasks that have not ended, pending webhooks, transfers and sandboxes. End or cancel some of them, reset the simulator, or raise \`keepBytes\` (--keep-bytes).`,
    )
  }
}
