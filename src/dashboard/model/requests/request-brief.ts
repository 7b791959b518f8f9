import type { RequestEntryShape } from '../../../control/shapes.js'

/** The parts of an answered request that the list shows. */
export type RequestBrief = Omit<
  RequestEntryShape,
  'request_headers' | 'response_headers' | 'request_body' | 'response_body'
>

/** Leaves out headers and bodies, which would fill the memory of the page. */
export function briefOf({
  request_headers: _,
  response_headers: __,
  request_body: ___,
  response_body: ____,
  ...brief
}: RequestEntryShape): RequestBrief {
  return brief
}

/** Whether the client did not get what it wanted: an error, or no whole response. */
export function isRefused({ status, delivered }: Pick<RequestBrief, 'status' | 'delivered'>): boolean {
  return !delivered || status >= 400
}

/** The status as the list shows it: of a lost response, the client has not seen the status. */
export function statusLabel({ status, delivered }: Pick<RequestBrief, 'status' | 'delivered'>): string {
  return delivered ? String(status) : 'lost'
}

/** The class of the label of a status in the stylesheet. */
export function statusClass({ status, delivered }: Pick<RequestBrief, 'status' | 'delivered'>): string {
  return `status status-${delivered ? Math.floor(status / 100) : 0}`
}
