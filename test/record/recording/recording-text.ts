import type { JsonObject } from '../../../src/engine/json.js'
import type { SkippedEntry } from '../../../src/record/history/json-elements.js'
import { readRecording } from '../../../src/record/recording/read-recording.js'
import type {
  ExchangeEntry,
  RecordingEntry,
  RecordingHeader,
} from '../../../src/record/recording/recording.js'

/** The header of recordings in tests, without its fixed fields. */
export const HEADER = {
  dialect: 'tasks',
  upstream: ['https://api.example.com'],
  started_at: '2026-11-22T10:00:00.000Z',
  salt: '0123456789abcdef0123456789abcdef',
}

/** An entry with every field. */
export const EXCHANGE: ExchangeEntry = {
  type: 'exchange',
  at: '2026-11-22T10:00:01.000Z',
  took: 120.5,
  key: 'key_0123abcd',
  own: true,
  request: {
    method: 'POST',
    url: 'https://api.example.com/api/v1/tasks?limit=3',
    headers: { 'content-type': 'application/json' },
    body: { json: { model: 'acme/image-1', input: { prompt: 'waves' } } },
  },
  response: {
    status: 201,
    headers: { 'x-request-id': 'req_1' },
    body: { text: 'created' },
    pieces: [[100, 'data: {}\n\n']],
  },
}

/** Reads the text of a recording in pieces of a few characters. */
export async function readText(text: string, size = 50) {
  const incomplete: SkippedEntry[] = []
  async function* pieces() {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
  }
  const options = { name: 'run.jsonl', onIncomplete: (line: SkippedEntry) => incomplete.push(line) }
  const { header, entries } = await readRecording(pieces(), options)
  const all: RecordingEntry[] = []
  for await (const entry of entries) all.push(entry)
  return { header, entries: all, incomplete }
}

/** The header as an object to damage. */
export const WHOLE_HEADER: RecordingHeader = { tasksim: 'recording', version: 1, ...HEADER }

/** A copy of an object with another value at a place. */
export function withValue(
  object: object,
  [first = '', ...rest]: readonly string[],
  value: unknown,
): JsonObject {
  const copy = structuredClone(object) as JsonObject
  copy[first] =
    rest.length === 0 ? (value as JsonObject) : withValue((copy[first] ?? {}) as JsonObject, rest, value)
  return copy
}
