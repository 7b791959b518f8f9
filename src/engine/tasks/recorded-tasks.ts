import type { JsonObject } from '../json.js'
import type { RecordedAnswers } from './recorded-answers.js'
import type { Plan } from './task.js'

/** The tasks of a real service, as a recording shows them. */
export interface RecordedTasks {
  /** The name of the wire format in which they were recorded. */
  readonly dialect: string
  /**
   * A string that equal orders share, as far as a recording can tell them apart.
   * @returns undefined if no such order was recorded
   */
  identityOf(order: RecordedOrder): string | undefined
  /**
   * Returns the plan of an order: the course of the recorded task with the number of its occurrence, or the learned plan
   * if there is none.
   * @throws RecordedRejection if the service has rejected that occurrence
   */
  planOf(order: RecordedOrder & { readonly occurrence: number }, learned: Plan): Plan
  /**
   * Finds what the service showed of a task that repeats a recorded one, in a later process.
   * @param id the id of the recorded task
   */
  courseOf(order: RecordedOrder & { readonly id: string }, plan: Plan): RecordedAnswers | undefined
}

/** What identifies a recorded order. */
export interface RecordedOrder {
  readonly dialect: string
  readonly model: string
  readonly input: JsonObject
}
