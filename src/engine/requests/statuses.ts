/** What the status of an answer tells a client about its request. */

/** Whether the request was carried out; a request without an answer was not. */
export function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300
}

/** Whether an identical request gets the same rejection again. */
export function isFinalRejection(status: number): boolean {
  return FINAL.includes(status)
}

const FINAL: readonly number[] = [400, 401, 402, 403, 404, 405, 409, 410, 413, 415, 422]

/** Whether the same request may succeed later. */
export function isTemporary(status: number): boolean {
  return status >= 500 || status === 429 || status === 408
}

/** Whether a rejection is due to the limits or the credits of the account, so that no change of the request helps. */
export function isOfAccount(status: number): boolean {
  return status === 402 || status === 429
}
