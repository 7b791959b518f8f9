import type { SavedJob } from '../clock/schedule.js'
import type { SavedEnd } from './planned-ends.js'

/** What determines the further course of a task, beside the task itself. */
export interface SavedCourse extends SavedEnd {
  /** Whether it has a place in the capacity. */
  readonly hasPlace?: boolean | undefined
  /** The scheduled end of its queueing time. */
  readonly start?: SavedJob | undefined
}
