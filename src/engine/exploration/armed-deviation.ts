import type { PlanOverride } from '../directive/directive.js'
import type { FieldChanges } from '../json.js'
import type { Fault } from '../requests/fault.js'
import type { WebhookFault } from '../webhooks/faults/webhook-fault.js'

/** What goes wrong at a place of a run. */
export interface ArmedDeviation {
  /** The id of the run or of a half of it, such as `tasks.create#1:lost`. It is the name of the rule in the journal. */
  readonly id: string
  /** Where it goes wrong, as {@link writePlace} writes it. */
  readonly place: string
  /** What happens to the request at the place or, for the whole service, to all requests from there on. */
  readonly fault?: Fault | undefined
  /**
   * Whether the fault applies to the repetitions of the request as well, that is to an equal order or to the same
   * operation on the same task: to all of them, or to those before an answer shows a new URL of the file.
   */
  readonly repeats?: 'always' | 'until_renewed' | undefined
  /** How long the fault of the whole service lasts, in milliseconds; without end by default. */
  readonly lasts?: number | undefined
  /** How the task at the place differs from its plan. */
  readonly plan?: Partial<PlanOverride> | undefined
  /** Changed in the succeeded task at the place in all answers and webhooks. */
  readonly changes?: FieldChanges | undefined
  /** What happens to the webhook at the place. */
  readonly webhook?: WebhookFault | undefined
}
