/** How an attempt went: the status that came back, or undefined where none did. */
export type AttemptStatus = number | undefined

/** What follows an attempt. */
export type Verdict =
  | { readonly state: 'delivered' | 'given_up' }
  | { readonly state: 'pending'; readonly wait: number }

/** What a receiver answers that is gone for good. */
export const GONE = 410

/**
 * Decides what follows an attempt. Any 2xx is success; a redirect is a failure like any other.
 * @param attempts how many attempts were made, this one included
 * @param retries the waits before each further attempt, in milliseconds
 * @param atLeast the shortest wait, in milliseconds, as the receiver asks for it
 */
export function judge(
  status: AttemptStatus,
  attempts: number,
  retries: readonly number[],
  atLeast = 0,
): Verdict {
  if (status !== undefined && status >= 200 && status < 300) return { state: 'delivered' }
  const wait = status === GONE ? undefined : retries[attempts - 1]
  return wait === undefined ? { state: 'given_up' } : { state: 'pending', wait: Math.max(wait, atLeast) }
}
