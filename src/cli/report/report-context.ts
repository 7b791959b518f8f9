/** What a report says of its run beside the verdict. */
export interface ReportContext {
  /** The scenario that the client was tried against. */
  readonly scenario: string
  /** How long it took, in milliseconds of real time. */
  readonly took?: number | undefined
}
