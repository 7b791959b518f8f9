import type { Template } from '../template/template.js'

/** An operation with an answer. */
export interface Answered {
  /** The status of the answer. */
  readonly status?: number | undefined
  /** The body of the answer; the task by default. */
  readonly answer?: Template | undefined
}
