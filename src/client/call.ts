/**
 * Sends a request to the control API, over the network or in process. A body is sent as JSON, and a text as JSON Lines.
 * The shape of the response is that of the operation; nothing checks it.
 */
export type Call = <Shape>(method: string, path: string, body?: object | string) => Promise<Shape>

/** The media type and the text of a body. */
export function contentOf(body: object | string): { readonly type: string; readonly text: string } {
  return typeof body === 'string'
    ? { type: 'application/jsonl', text: body }
    : { type: 'application/json', text: JSON.stringify(body) }
}

/**
 * Parses a response of the control API.
 * @throws ControlError if the response is an error
 */
export function parseResponse<Shape>(status: number, type: string, text: string): Shape {
  const value: unknown = /\bjson\b/.test(type) ? JSON.parse(text) : text
  if (status < 400) return value as Shape
  const { error = value } = Object(value) as { error?: unknown }
  throw new ControlError(status, Object(error) as Record<string, unknown>)
}

/**
 * An id as a segment of a path. An id that is empty or consists of dots would change the path.
 * @throws ControlError 404, because no resource has this id
 */
export function segment(id: string): string {
  if (!/^\.{0,2}$/.test(id)) return encodeURIComponent(id)
  throw new ControlError(404, { code: 'not_found', message: `No resource has the id ${JSON.stringify(id)}.` })
}

/** A query with the given values, after its question mark; empty without any. */
export function search(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])))}`
}

/** The error for a request that the control API rejected. The message says why, and what to do. */
export class ControlError extends Error {
  /** Distinguishes this error from other errors. */
  override readonly name = 'ControlError'
  /** The HTTP status of the response. */
  readonly status: number
  /** The error code, such as `invalid_request`; `unknown` if the response had none. */
  readonly code: string
  /** The whole `error` of the response, such as the `mistakes` in a scenario. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, details: Readonly<Record<string, unknown>>) {
    super(String(details['message'] ?? `The control API responded with ${status}.`))
    this.status = status
    this.code = String(details['code'] ?? 'unknown')
    this.details = details
  }
}
