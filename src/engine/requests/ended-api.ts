/** A part of a service that has ended, or will. */
export interface EndedApi {
  /** The day from which the service rejects its requests, such as `2026-09-24`. */
  readonly on: string
  /** What the service offers in its place. */
  readonly replaced_by?: string | undefined
  /** Others who serve the same format. */
  readonly still_served_by?: string | undefined
  /** The URL of a page that says so. */
  readonly source?: string | undefined
}

/** Whether an API has ended at an instant, in epoch milliseconds. */
export function hasEnded({ on }: Pick<EndedApi, 'on'>, at: number): boolean {
  return at >= Date.parse(on)
}

/** What to use in place of an API, in sentences. */
export function insteadOf({ replaced_by, still_served_by, source }: EndedApi): string {
  return [
    replaced_by === undefined ? 'The service names no replacement.' : `Replacement: ${replaced_by}.`,
    still_served_by === undefined ? [] : `Still served by: ${still_served_by}.`,
    source === undefined ? [] : `(${source})`,
  ]
    .flat()
    .join(' ')
}
