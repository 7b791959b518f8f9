import type { ServiceRequestShape } from '../shapes.js'
import { writtenHeaders } from './headers.js'
import { JAVASCRIPT } from './javascript.js'
import { Expression, literal } from './literal.js'

/** A TypeScript module that sends a request with `fetch`, and prints the answer. */
export function fetchCode(
  { method, url, headers, body, text }: ServiceRequestShape,
  keyHeader: string | undefined,
): string {
  const data = body === undefined ? text : new Expression(`JSON.stringify(${json(body)})`)
  const options = {
    method,
    headers: writtenHeaders(headers, keyHeader, JAVASCRIPT),
    ...(data !== undefined && { body: data }),
  }
  const lines = Object.entries(options).map(
    ([name, value]) => `  ${name}: ${literal(value, JAVASCRIPT, '  ')},\n`,
  )
  return `const response = await fetch(${literal(url, JAVASCRIPT)}, {
${lines.join('')}})
console.log(response.status, await response.text())`
}

function json(body: NonNullable<ServiceRequestShape['body']>): string {
  return literal(jsonOf(body), JAVASCRIPT, '  ')
}

/** The body as values that have a literal. */
export function jsonOf(body: NonNullable<ServiceRequestShape['body']>): Record<string, never> {
  return JSON.parse(JSON.stringify(body))
}
