import { createSimulator } from '../../../src/index.js'
import type { PassedExchange } from '../../../src/record/recording/passed-exchange.js'
import { type RedactionSettings, Redactor } from '../../../src/record/recording/redact/redactor.js'
import { HEADER } from './recording-text.js'

const encoder = new TextEncoder()

/** Parts of an exchange with JSON bodies. */
export interface Passed {
  readonly method?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly status?: number
  readonly answerHeaders?: Readonly<Record<string, string>>
  readonly answer?: unknown
  readonly pieces?: readonly (readonly [number, string])[]
}

/** An exchange with the service of {@link HEADER}. */
export function passed(parts: Passed): PassedExchange {
  const { method = 'POST', url = 'https://api.example.com/api/v1/tasks', headers, body } = parts
  const { status = 200, answerHeaders, answer, pieces } = parts
  return {
    at: Date.parse('2026-11-22T10:00:00.000Z'),
    took: 12,
    isOwn: false,
    request: {
      method,
      url,
      headers: { 'content-type': 'application/json', ...headers },
      body: bytesOf(body),
    },
    response: {
      status,
      headers: { 'content-type': 'application/json', ...answerHeaders },
      body: bytesOf(answer),
      pieces,
    },
  }
}

function bytesOf(body: unknown): Uint8Array {
  if (body === undefined) return new Uint8Array()
  if (body instanceof Uint8Array) return body
  return encoder.encode(typeof body === 'string' ? body : JSON.stringify(body))
}

/** A redactor for recordings of a dialect. */
export async function redactorFor(
  settings: Partial<RedactionSettings> = {},
  name = 'tasks',
  keepsFiles = false,
) {
  const dialect = await createSimulator().dialects.load(name)
  return new Redactor(dialect, { ...HEADER, ...settings }, keepsFiles)
}
