import type { TableOperation } from '../../../dialects/table/model/operation-table.js'
import { namesIn } from '../../../dialects/table/template/compile.js'

/** A mistake in a field about the stream of an operation. */
interface StreamMistake {
  readonly field: 'events' | 'stream_if' | 'resume_after'
  readonly message: string
}

type Streamed = Extract<TableOperation, { action: 'create' | 'retrieve' | 'stream' }>
/** The settings of an operation, without its place. */
type Settings<Of> = Of extends unknown ? Omit<Of, 'method' | 'path'> : never

/** The first mistake in the fields about the stream of an operation; undefined if there is none. */
export function mistakeInStream(operation: Settings<TableOperation>): StreamMistake | undefined {
  const { action } = operation
  return action === 'create' || action === 'retrieve' || action === 'stream'
    ? mistakeIn(operation)
    : undefined
}

function mistakeIn(operation: Settings<Streamed>): StreamMistake | undefined {
  const { action, events } = operation
  const streamIf = 'stream_if' in operation ? operation.stream_if : undefined
  const resumeAfter = 'resume_after' in operation ? operation.resume_after : undefined
  if (events === undefined) {
    if (streamIf !== undefined) return { field: 'stream_if', message: '`stream_if` needs `events`; add them' }
    if (resumeAfter === undefined) return undefined
    return { field: 'resume_after', message: '`resume_after` needs `events`; add them' }
  }
  if (action === 'retrieve' && streamIf === undefined) return { field: 'events', message: EVENTS_ALONE }
  return resumeAfter === undefined ? undefined : mistakeInResumption(events)
}

function mistakeInResumption(events: NonNullable<Streamed['events']>): StreamMistake | undefined {
  if (events.queued !== undefined || events.processing !== undefined)
    return { field: 'resume_after', message: NOT_THE_SAME }
  const names = namesIn(JSON.parse(JSON.stringify(events)))
  return names.has('sequence') ? undefined : { field: 'resume_after', message: NO_NUMBERS }
}

const EVENTS_ALONE =
  '`events` of `retrieve` need `stream_if`, which selects the requests for a stream, such as "{{query.stream}}"'
const NOT_THE_SAME =
  'a stream with the events `queued` or `processing` cannot resume, because they depend on when the client connects; use `created` and `started`'
const NO_NUMBERS = 'a stream can only resume if its events contain `{{sequence}}`; add it'
