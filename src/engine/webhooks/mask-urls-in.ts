import { maskUrl } from './mask-url.js'

const URL_START = /^https?:/i
const JSON_STRING = /"(?:[^"\\]|\\.)*"/g

/** Masks each string of a JSON text that is a URL, as {@link maskUrl} does. The rest of the text stays as it is. */
export function maskUrlsIn(json: string): string {
  return /https?/i.test(json) ? json.replace(JSON_STRING, maskString) : json
}

function maskString(literal: string): string {
  const text = parsed(literal)
  if (text === undefined || !URL_START.test(text)) return literal
  const masked = maskUrl(text)
  return masked === text ? literal : JSON.stringify(masked)
}

function parsed(literal: string): string | undefined {
  try {
    return JSON.parse(literal)
  } catch {
    return undefined
  }
}
