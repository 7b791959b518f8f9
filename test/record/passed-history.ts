import { entryLine, headerLine } from '../../src/cli/record/recording-file.js'
import { Dialects } from '../../src/dialects/dialects.js'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/engine/json.js'
import type { PassedExchange } from '../../src/record/recording/passed-exchange.js'
import type { ExchangeEntry, RecordingHeader, WebhookEntry } from '../../src/record/recording/recording.js'
import { Redactor } from '../../src/record/recording/redact/redactor.js'
import type { HistoryFixture } from './histories.js'
import { HEADER } from './recording/recording-text.js'

const encoder = new TextEncoder()
/** The receiver of webhooks in the fixtures. */
const RECEIVER = 'hooks.orchard-studio.example'
/** Hosts of streams and uploads that clients do not reach through a proxy. */
const UNSEEN = ['stream.replicate.com', 'runway-ephemeral-uploads.s3.amazonaws.com']

/** An exchange, and whether it is a webhook. */
export interface PassedEntry {
  readonly isWebhook: boolean
  readonly passed: PassedExchange
}

/** Splits a stream into pieces with the milliseconds after the request at which they arrived. */
type SplitStream = (text: string, took: number) => [number, string][]

/** The exchanges of a fixture as they would pass through a proxy. */
export function passedEntries(
  { entries }: Pick<HistoryFixture, 'entries'>,
  split: SplitStream = inOddPieces,
): PassedEntry[] {
  return entries.flatMap((entry) => {
    const passed = passedExchange(entry, split)
    const { hostname } = new URL(passed.request.url)
    return UNSEEN.includes(hostname) ? [] : [{ isWebhook: hostname === RECEIVER, passed }]
  })
}

function passedExchange(entry: JsonObject, split: SplitStream): PassedExchange {
  const [request, response] = [mapping(entry['request']), mapping(entry['response'])]
  const [headers, text] = [headersIn(response), String(mapping(response['content'])['text'] ?? '')]
  const took = Math.round(Number(entry['time']))
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true
  return {
    at: Date.parse(String(entry['startedDateTime'])),
    took,
    isOwn: false,
    request: {
      method: String(request['method']),
      url: String(request['url']),
      headers: headersIn(request),
      body: encoder.encode(sentText(mapping(request['postData']))),
    },
    response: {
      status: Number(response['status']),
      headers,
      body: encoder.encode(text),
      ...(isStream && { pieces: split(text, took) }),
    },
  }
}

function mapping(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function headersIn({ headers }: JsonObject): Record<string, string> {
  const list = (Array.isArray(headers) ? headers : []).filter(isJsonObject)
  return Object.fromEntries(list.map(({ name, value }) => [String(name).toLowerCase(), String(value)]))
}

/** The text of a body; that of a form is as clients write it. */
function sentText({ mimeType, text, params }: JsonObject): string {
  if (!Array.isArray(params)) return String(text ?? '')
  const [, boundary = ''] = /boundary=(\S+)/.exec(String(mimeType)) ?? []
  const parts = params
    .filter(isJsonObject)
    .map(({ name, value, fileName }) =>
      [
        `--${boundary}`,
        `Content-Disposition: form-data; name="${name}"${fileName === undefined ? '' : `; filename="${fileName}"`}`,
        '',
        value,
        '',
      ].join('\r\n'),
    )
  return `${parts.join('')}--${boundary}--\r\n`
}

/** Splits a stream after odd numbers of characters, also within events and secrets. */
function inOddPieces(text: string, took: number): [number, string][] {
  const size = 97
  const count = Math.ceil(text.length / size)
  return Array.from({ length: count }, (_, index) => [
    Math.round(((index + 1) / count) * took),
    text.slice(index * size, (index + 1) * size),
  ])
}

/** What `tasksim record` would have recorded of a fixture. */
export async function recordFixture(
  { dialect: name, entries }: HistoryFixture,
  settings: Partial<RecordingHeader> = {},
  split?: SplitStream,
): Promise<{ text: string; entries: readonly (ExchangeEntry | WebhookEntry)[] }> {
  const dialect = await new Dialects().load(name)
  const origins = dialect.hosts.map(({ origin }) => origin)
  const upstream = origins.length > 0 ? origins : HEADER.upstream
  const header = { ...HEADER, dialect: name, upstream, ...settings }
  const redactor = new Redactor(dialect, header)
  const recorded = passedEntries({ entries }, split).map(({ isWebhook, passed }) =>
    isWebhook ? redactor.webhook(passed) : redactor.exchange(passed),
  )
  return { text: headerLine(header) + recorded.map(entryLine).join(''), entries: recorded }
}
