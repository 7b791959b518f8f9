import type { PlanOverride } from '../directive/directive.js'
import type { FieldChanges, JsonObject } from '../json.js'
import type { Fault } from '../requests/fault.js'
import type { OperationName } from '../requests/operations.js'
import type { Kind, Task } from '../tasks/task.js'
import type { ArmedDeviation } from './armed-deviation.js'

/** The order of a task, as a create request states it. */
export interface VisitedOrder {
  readonly model: string
  readonly kind?: Kind | undefined
  readonly input: JsonObject
}

/** A request, before it is answered. */
export interface VisitedRequest {
  readonly operation: OperationName
  readonly dialect: string
  /** What a create request orders; undefined if it cannot be read. */
  readonly order?: VisitedOrder | undefined
  /** The task that the request is about, if the client may see it. */
  readonly task?: Task | undefined
  /** The index of the requested output file. */
  readonly file?: number | undefined
  /** The tasks that a list may show. */
  readonly listed?: readonly Task[] | undefined
}

/** Where a request is in a run, and what goes wrong there. */
export interface Visit {
  readonly place: string
  /** The deviation whose fault applies to the request. */
  readonly deviation: (ArmedDeviation & { readonly fault: Fault }) | undefined
  /** What changes in the tasks of the answer, by their ids. */
  readonly changes: ReadonlyMap<string, FieldChanges>
  /** How the task differs that the request creates. */
  readonly plan: Partial<PlanOverride> | undefined
}
