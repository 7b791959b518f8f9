import type { ServiceRequestShape } from '../../control/shapes.js'

/** A request as a person edits it. */
export interface EditedRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** A line for each header. */
  readonly headers: string
  readonly body: string
}

/** What keeps a text from being a part of a request. */
export interface RequestFlaws {
  readonly path?: string | undefined
  /** With the line, from 1. */
  readonly headers?: { readonly line: number; readonly message: string } | undefined
}

/** A request for the editor. */
export function editedRequest({ method, url, headers, body, text = '' }: ServiceRequestShape): EditedRequest {
  const { pathname, search } = new URL(url)
  return {
    method,
    path: pathname + search,
    headers: headerLines(headers),
    body: body === undefined ? text : JSON.stringify(body, null, 2),
  }
}

/** The edited request, for the service at an origin. A method without a body loses it. */
export function requestOf(
  { method, path, headers, body }: EditedRequest,
  origin: string,
): ServiceRequestShape {
  const text = hasBody(method) && body !== '' ? { text: body } : {}
  return { method, url: origin + path, headers: headersIn(headers), ...text }
}

/** Whether a browser sends a body with a method. */
export function hasBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

/** What is wrong with an edited request; empty if it can be sent. */
export function flawsOf({ path, headers }: EditedRequest): RequestFlaws {
  return {
    ...(!path.startsWith('/') && { path: 'The path must begin with a slash, such as /v1/tasks.' }),
    ...headerFlaw(headers),
  }
}

/** Headers as text, a line for each. */
function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

/** The headers in a text. The last one with a name applies. */
export function headersIn(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const { name, value } = HEADER.exec(line)?.groups ?? {}
      return name === undefined || value === undefined ? [] : [[name, value]]
    }),
  )
}

/** The first line that is not a header. */
export function headerFlaw(text: string): Pick<RequestFlaws, 'headers'> {
  const index = text.split('\n').findIndex((line) => line.trim() !== '' && !HEADER.test(line))
  if (index === -1) return {}
  return { headers: { line: index + 1, message: 'Expected a header, such as accept: application/json.' } }
}

/** A name of RFC 9110, and a value that `fetch` accepts. */
const HEADER = /^\s*(?<name>[!#$%&'*+.^`|~\w-]+)\s*:\s*(?<value>[\t\x20-\x7e\x80-\xff]*?)\s*$/
