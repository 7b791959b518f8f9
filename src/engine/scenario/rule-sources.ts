import type { Step } from '../requests/fault.js'
import type { OperationName, SERVICE_METHODS } from '../requests/operations.js'
import type { Outcome, TaskError } from '../tasks/task.js'
import type { WebhookFault } from '../webhooks/faults/webhook-fault.js'
import type { Behavior } from './behavior.js'
import type { Bounds } from './bounds.js'
import type { FrequencyConditions, TaskConditions } from './conditions.js'
import type { EventName } from './events.js'

/** A rule as a scenario file defines it. */
export interface RuleSource {
  readonly name?: string | undefined
  readonly when?: (TaskConditions & { readonly occurrence?: number | Bounds | undefined }) | undefined
  readonly then: Behavior & {
    readonly outcome?: Outcome | undefined
    readonly error?: TaskError | undefined
  }
}

interface RequestConditions extends TaskConditions, FrequencyConditions {
  readonly operation?: OperationName | readonly OperationName[] | undefined
  readonly method?: (typeof SERVICE_METHODS)[number] | undefined
}

/** A fault rule as a scenario file defines it. A list of faults applies one fault to each matching request. */
export interface FaultSource {
  readonly name?: string | undefined
  readonly when?: RequestConditions | undefined
  readonly then: Step | readonly Step[]
}

interface DeliveryConditions extends TaskConditions, FrequencyConditions {
  readonly receiver?: string | undefined
  readonly event?: EventName | undefined
}

/** A webhook fault rule as a scenario file defines it. */
export interface WebhookFaultSource {
  readonly name?: string | undefined
  readonly when?: DeliveryConditions | undefined
  readonly then: WebhookFault
}
