import fc from 'fast-check'
import { expect, it } from 'vitest'
import { entryLine, headerLine } from '../../../src/cli/record/recording-file.js'
import type { JsonValue } from '../../../src/engine/json.js'
import { isRecording } from '../../../src/record/recording/read-recording.js'
import type {
  ExchangeEntry,
  FileEntry,
  RecordedBody,
  RecordingEntry,
  WebhookEntry,
} from '../../../src/record/recording/recording.js'
import { EXCHANGE, HEADER, readText, WHOLE_HEADER, withValue } from './recording-text.js'

const sha256 = 'ab'.repeat(32)
const text = fc.string({ unit: 'grapheme' })
const json = fc.jsonValue() as fc.Arbitrary<JsonValue>
const base64 = fc.uint8Array().map((bytes) => btoa(String.fromCharCode(...bytes)))
const bytes = { bytes: fc.nat(), sha256: fc.constant(sha256) }
const body: fc.Arbitrary<RecordedBody> = fc.oneof(
  // JSON has no -0.
  json.map((value) => ({ json: JSON.parse(JSON.stringify(value)) as JsonValue })),
  fc.record({
    form: fc.array(
      fc.oneof(
        fc.record({ name: text, text }),
        fc.record({ name: text, file_name: text, ...bytes }),
        fc.record({ name: text, file_name: text, content_type: text, ...bytes }),
      ),
    ),
  }),
  fc.record({ text }),
  fc.record({ base64 }),
  fc.record(bytes),
)
const headers = fc.dictionary(fc.stringMatching(/^[a-z-]{1,9}$/), text)
const at = fc
  .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
  .map((date) => date.toISOString())
const took = fc.nat().map((value) => value / 8)
const some = <Fields extends object>(fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> }) =>
  fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<Partial<Fields>>
const request = fc
  .tuple(fc.webUrl({ withQueryParameters: true }), headers, some({ body }))
  .map(([url, headers, more]) => ({ method: 'POST', url, headers, ...more }))
const pieces = fc.array(fc.tuple(took, text))
const response = fc
  .tuple(fc.integer({ min: 100, max: 599 }), headers, some({ body, pieces }))
  .map(([status, headers, more]) => ({ status, headers, ...more }))
const exchange = fc
  .tuple(at, took, request, some({ key: text, own: fc.constant(true as const), response }))
  .map(([at, took, request, more]): ExchangeEntry => ({ type: 'exchange', at, took, request, ...more }))
const webhook = fc
  .tuple(at, took, request, some({ response: fc.record({ status: fc.constant(204) }) }))
  .map(([at, took, request, more]): WebhookEntry => ({ type: 'webhook', at, took, request, ...more }))
const file = fc
  .tuple(at, fc.webUrl(), text, base64)
  .map(([at, url, content_type, base64]): FileEntry => ({ type: 'file', at, url, content_type, base64 }))
const entry: fc.Arbitrary<RecordingEntry> = fc.oneof(exchange, webhook, file)

it('what is written is read again, in pieces of any size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 4 }),
      fc.integer({ min: 1, max: 300 }),
      async (entries, size) => {
        const written = headerLine(HEADER) + entries.map(entryLine).join('')
        const read = await readText(written, size)
        expect(read).toEqual({ header: WHOLE_HEADER, entries, incomplete: [] })
      },
    ),
  )
})

it('the header keeps the description of an own dialect, the redacted places and the lack of bodies', async () => {
  const table = { name: 'acme', title: 'Acme', ids: {}, task: {}, statuses: {}, error: {}, operations: [] }
  const more = { dialect: 'acme', table, redact: ['input.prompt'], bodies: false }
  const header = { ...WHOLE_HEADER, ...more }
  expect((await readText(JSON.stringify(header))).header).toEqual(header)
})

it('a recording is recognized by its start', () => {
  expect(
    ['\uFEFF{ "tasksim": "recording"', '{"tasksim":1}', '[{"tasksim":"recording"'].map(isRecording),
  ).toEqual([true, false, false])
})

it('an incomplete last line is reported and left out', async () => {
  const whole = headerLine(HEADER) + entryLine(EXCHANGE)
  const { entries, incomplete } = await readText(whole + entryLine(EXCHANGE).slice(0, 90))
  expect(entries).toEqual([EXCHANGE])
  expect(incomplete).toEqual([{ line: 3, message: expect.stringContaining('the last line is incomplete') }])
})

it('a last line without a line break is read if it is complete, and empty lines are ignored', async () => {
  const { entries } = await readText(`${headerLine(HEADER)}\n\r\n${entryLine(EXCHANGE).trimEnd()}`)
  expect(entries).toEqual([EXCHANGE])
})

it.each([
  ['version', 0, '1: version: expected 1, got 0. Correct the line or delete it.'],
  [
    'version',
    2,
    '1: version: expected 1, got 2. The recording was written by a newer tasksim. Update: npm install',
  ],
  ['dialect', '', '1: dialect: expected the name of a dialect, got "".'],
  ['table', { name: 'acme' }, '1: table: expected the description of a dialect with `name`, `ids`'],
  ['upstream', 'https://a.test', '1: upstream: expected a list, got "https://a.test".'],
  [
    'upstream',
    ['https://a.test/v1'],
    '1: upstream[0]: expected an origin such as "https://api.example.com", got',
  ],
  ['started_at', 'now', '1: started_at: expected a time such as "2026-11-22T10:00:00.000Z", got "now".'],
  ['salt', 'abc', '1: salt: expected 32 or more hexadecimal digits, got "abc".'],
  ['redact', [1], '1: redact[0]: expected a string, got 1.'],
  ['bodies', true, '1: bodies: expected false, got true.'],
])('a header with the %s %j is rejected with its place and the remedy', async (name, value, message) => {
  const header = JSON.stringify({ ...WHOLE_HEADER, [name]: value })
  await expect(readText(header)).rejects.toThrow(`run.jsonl:${message}`)
})

it.each([
  ['', '7', 'expected an object, got 7.'],
  ['type', 'request', 'type: expected "exchange", "webhook" or "file", got "request".'],
  ['at', undefined, 'at: expected a time such as "2026-11-22T10:00:00.000Z", got nothing.'],
  ['took', -1, 'took: expected a number of milliseconds from 0 up to 100 years, got -1.'],
  ['took', 1e300, 'took: expected a number of milliseconds from 0 up to 100 years, got 1e+300.'],
  ['key', 1, 'key: expected a string, got 1.'],
  ['own', false, 'own: expected true, got false.'],
  ['request', [], 'request: expected an object, got [].'],
  ['request.method', 'post', 'request.method: expected an HTTP method such as "POST", got "post".'],
  ['request.url', '/tasks', 'request.url: expected an absolute URL, got "/tasks".'],
  ['request.headers.accept', 1, 'request.headers.accept: expected a string, got 1.'],
  [
    'request.body',
    {},
    'request.body: expected an object with `json`, `form`, `text`, `base64` or `sha256`, got {}.',
  ],
  ['request.body', { text: 1 }, 'request.body.text: expected a string, got 1.'],
  ['request.body', { base64: 'a' }, 'request.body.base64: expected base64, got "a".'],
  [
    'request.body',
    { bytes: 1, sha256: 'a' },
    'request.body.sha256: expected 64 hexadecimal digits, got "a".',
  ],
  [
    'request.body',
    { bytes: 0.5, sha256 },
    'request.body.bytes: expected a number of bytes from 0 up, got 0.5.',
  ],
  [
    'request.body',
    { form: [{ name: 'a' }] },
    'request.body.form[0].file_name: expected a string, got nothing.',
  ],
  ['response.status', 99, 'response.status: expected an HTTP status from 100 to 599, got 99.'],
  [
    'response.pieces',
    [['a', 1]],
    'response.pieces[0][0]: expected a number of milliseconds from 0 up to 100 years, got "a".',
  ],
  ['response.pieces', [[1]], 'response.pieces[0]: expected a list of milliseconds and a string, such as'],
])('an entry with the %s %j is rejected with its line and place', async (place, value, message) => {
  const line = place === '' ? String(value) : JSON.stringify(withValue(EXCHANGE, place.split('.'), value))
  const text = `${headerLine(HEADER)}${entryLine(EXCHANGE)}${line}\n`
  await expect(readText(text)).rejects.toThrow(`run.jsonl:3: ${message}`)
})

it.each([
  ['content_type', 1, 'content_type: expected a string, got 1.'],
  ['url', 'a', 'url: expected an absolute URL, got "a".'],
])('a file with the %s %j is rejected', async (name, value, message) => {
  const file = {
    type: 'file',
    at: EXCHANGE.at,
    url: 'https://a.test/a',
    content_type: 'image/png',
    base64: '',
  }
  const text = headerLine(HEADER) + JSON.stringify({ ...file, [name]: value })
  await expect(readText(text)).rejects.toThrow(`run.jsonl:2: ${message}`)
})

it('a damaged line before the last one is an error', async () => {
  const text = `${headerLine(HEADER)}{"type":\n${entryLine(EXCHANGE)}`
  await expect(readText(text)).rejects.toThrow(
    /^run\.jsonl:2: not valid JSON: .*Correct the line or delete it\.$/,
  )
})

it.each(['', '{"id":1}\n', '{"tasksim":"journal"}'])('%j is not a recording', async (text) => {
  await expect(readText(text)).rejects.toThrow(
    'run.jsonl is not a recording: expected a first line that starts with',
  )
})
