import type { JsonObject } from '../../core/task/task.js'

/** What the control API answers with, as JSON; instants are ISO 8601 UTC. */

/** A page of a list, newest first. */
export interface Page<Item> {
  readonly data: readonly Item[]
  readonly has_more: boolean
  /** Pass it as `after` to get the next page. */
  readonly next_cursor: string | null
}

export interface HealthShape {
  readonly status: 'ok'
}

export interface ClockShape {
  readonly now: string
  readonly mode: 'real' | 'manual'
  readonly speed: number
  /** When something is planned. */
  readonly next: string | null
}

export interface StateShape {
  readonly sandbox: string | null
  readonly scenario: { readonly name: string; readonly description: string }
  readonly seed: string
  readonly clock: ClockShape
  /** How many tasks are in each state. */
  readonly tasks: Readonly<Record<string, number>>
  readonly requests: number
  readonly deliveries: Readonly<Record<string, number>>
  readonly spent_usd: number
  readonly sandboxes: number
  /** The number of the newest line of the journal. */
  readonly journal: number
}

export interface TaskShape {
  readonly id: string
  readonly model: string
  readonly kind: string
  /** The API key, masked. */
  readonly key: string
  readonly status: string
  readonly input: JsonObject
  readonly output?: JsonObject | undefined
  readonly error?: { readonly code: string; readonly message: string } | undefined
  readonly cost_usd?: number | undefined
  readonly webhook_url?: string | undefined
  readonly created_at: string
  readonly started_at?: string | undefined
  readonly completed_at?: string | undefined
  readonly held: boolean
  readonly plan: PlanShape
}

/** As much of a task as one line of a list shows. */
export interface TaskBriefShape {
  readonly id: string
  readonly model: string
  readonly kind: string
  /** The API key, masked. */
  readonly key: string
  readonly status: string
  /** What was asked for, in at most 200 characters. */
  readonly prompt: string
  readonly created_at: string
  readonly started_at?: string | undefined
  readonly completed_at?: string | undefined
  readonly cost_usd?: number | undefined
  /** The code of its error. */
  readonly error?: string | undefined
  readonly held: boolean
}

/** What will happen to a task by itself. */
export interface PlanShape {
  readonly outcome: string
  /** When it ends, where that is known: it is not while it waits, or where it ends at a poll. */
  readonly ends_at?: string | undefined
  /** The poll at which it ends. */
  readonly ends_at_poll?: number | undefined
  readonly error?: { readonly code: string; readonly message: string } | undefined
  /** The rule that decided. */
  readonly rule?: string | undefined
}

export interface AttemptShape {
  readonly number: number
  readonly started_at: string | undefined
  readonly took_ms: number
  readonly status?: number | undefined
  readonly error?: string | undefined
  /** What was wrong with it on purpose. */
  readonly flaw?: string | undefined
  readonly retry_at?: string | undefined
  readonly request: {
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly body_base64: string
  }
  readonly response?:
    | {
        readonly status: number
        readonly headers?: Readonly<Record<string, string>> | undefined
        readonly body?: string | undefined
      }
    | undefined
}

export interface DeliveryShape {
  readonly id: string
  readonly task_id: string
  readonly event: string
  readonly url: string
  readonly state: string
  readonly created_at: string | undefined
  readonly next_attempt_at?: string | undefined
  readonly mischief?: string | undefined
  readonly copy_of?: string | undefined
  readonly attempts: readonly AttemptShape[]
}

/** A page of deliveries, and how many there are in each state, whatever the page was asked for. */
export interface DeliveryPage extends Page<DeliveryShape> {
  readonly counts: Readonly<Record<string, number>>
}

export interface ReceiverShape {
  readonly id: string
  readonly url: string
  readonly source: string
  readonly active: boolean
  readonly off_because?: string | undefined
  readonly secret?: string | undefined
  readonly previous_secret?: string | undefined
  readonly events?: readonly string[] | undefined
  readonly retries_ms?: readonly number[] | undefined
  readonly timeout_ms?: number | undefined
  readonly ordered: boolean
}

export interface ScenarioShape {
  readonly name: string
  readonly description: string
  /** As it was written; null where it was patched, or made in code. */
  readonly text: string | null
  /** The names of the shipped ones. */
  readonly shipped: readonly string[]
}

export interface SandboxShape {
  readonly id: string
  /** The API key that leads into it; keys that begin with it and a dot do as well. */
  readonly api_key: string
  readonly scenario: string
  readonly seed: string
  readonly now: string
  readonly tasks: number
}

/** What a scenario will do to a client of one model. */
export interface PreviewShape {
  readonly model: string
  readonly kind: string
  readonly tasks: number
  /** How many ended how; `stuck` never did, `refused` were turned away. */
  readonly outcomes: Readonly<Record<string, number>>
  readonly errors: Readonly<Record<string, number>>
  /** By percentile, such as `p50`; `p100` is the longest. */
  readonly queue_ms: Readonly<Record<string, number>>
  readonly processing_ms: Readonly<Record<string, number>>
  /** How processing times are spread, up to the 99th percentile. */
  readonly histogram: readonly { readonly from: number; readonly to: number; readonly count: number }[]
  readonly cost_usd: { readonly total: number; readonly per_success: number }
  readonly attempts_per_task: number
}

/** A line of the journal. */
export type EntryShape = { readonly number: number; readonly at: string } & (
  | ({ readonly type: 'request' } & RequestShape)
  | ({
      readonly type: 'task'
      readonly task_id: string
      readonly rule?: string | undefined
    } & Omit<TaskBriefShape, 'id' | 'held'>)
  | { readonly type: 'delivery'; readonly attempt?: number | undefined; readonly delivery: DeliveryShape }
  | { readonly type: 'receiver'; readonly receiver: ReceiverShape }
  | { readonly type: 'control'; readonly what: string }
  | {
      readonly type: 'observation'
      readonly what: string
      readonly task_id: string
      readonly by?: string | undefined
      readonly as?: string | undefined
    }
)

export interface RequestShape {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly query: string
  readonly operation?: string | undefined
  readonly status: number
  readonly delivered: boolean
  readonly retry_after_ms?: number | undefined
  readonly key: string
  readonly task_id?: string | undefined
  /** The rule whose fault befell it. */
  readonly fault?: string | undefined
  readonly took_ms: number
  readonly request_body?: string | undefined
  readonly response_body?: string | undefined
}

/** What the client under test did wrong, and what was looked at. */
export interface VerdictShape {
  readonly findings: readonly FindingShape[]
  /** Every rule, and what came of it; `not_observed` where there was nothing to see. */
  readonly checked: readonly {
    readonly id: string
    readonly title: string
    readonly state: 'ok' | 'found' | 'not_observed' | 'ignored'
    /** The observation that a test must supply, where the rule needs one. */
    readonly needs?: string | undefined
  }[]
}

export interface FindingShape {
  readonly id: string
  readonly severity: string
  readonly title: string
  readonly why: string
  readonly remedy: string
  /** How often it was seen; the evidence holds the first twenty times. */
  readonly count: number
  readonly evidence: readonly EvidenceShape[]
}

export interface EvidenceShape {
  readonly at: string
  readonly seen: string
  readonly task_id?: string | undefined
  readonly request_ids?: readonly string[] | undefined
  readonly delivery_ids?: readonly string[] | undefined
}
