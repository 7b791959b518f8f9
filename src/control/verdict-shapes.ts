/** What the client under test did wrong, and what was looked at. */
export interface VerdictShape {
  /** What the client did wrong, the worst first. */
  readonly findings: readonly FindingShape[]
  /** Every rule, and what came of it; `not_observed` where there was nothing to see. */
  readonly checked: readonly {
    /** The rule, such as `polls-too-fast`. */
    readonly id: string
    /** What would be wrong, in a few words. */
    readonly title: string
    /** What came of it. */
    readonly state: 'ok' | 'found' | 'not_observed' | 'ignored'
    /** The observation that a test must supply, where the rule needs one. */
    readonly needs?: string | undefined
  }[]
}

/** One thing that the client under test did wrong. */
export interface FindingShape {
  /** The rule, such as `polls-too-fast`. */
  readonly id: string
  /** `error` costs money or loses results, `warning` will hurt one day, `note` is worth knowing. */
  readonly severity: string
  /** What is wrong, in a few words. */
  readonly title: string
  /** Why it matters in production. */
  readonly why: string
  /** How to mend it. */
  readonly remedy: string
  /** How often it was seen; the evidence holds the first twenty times. */
  readonly count: number
  /** Where it was seen. */
  readonly evidence: readonly EvidenceShape[]
}

/** Where a finding was seen. */
export interface EvidenceShape {
  /** When it was seen. */
  readonly at: string
  /** One sentence on what was seen. */
  readonly seen: string
  /** The task that it is about. */
  readonly task_id?: string | undefined
  /** The requests that show it; they lead to the journal. */
  readonly request_ids?: readonly string[] | undefined
  /** The deliveries that show it. */
  readonly delivery_ids?: readonly string[] | undefined
}
