import { seenEntry } from '../exchanges/recorded-entries.js'
import type { RecordedBody, RecordingEntry } from '../recording/recording.js'
import type { ComparedExchange } from './compare.js'

/** The exchanges and webhooks in the entries of a recording. */
export async function* recordedExchanges(
  entries: AsyncIterable<RecordingEntry>,
): AsyncGenerator<ComparedExchange, void, void> {
  for await (const entry of entries) {
    if (entry.type === 'file') continue
    const body: RecordedBody | undefined = entry.type === 'exchange' ? entry.response?.body : undefined
    const hasUnknownBody = body !== undefined && 'sha256' in body
    yield { ...seenEntry(entry), isWebhook: entry.type === 'webhook', hasUnknownBody }
  }
}
