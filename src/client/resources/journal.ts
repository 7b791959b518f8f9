import type {
  CodeQuery,
  EntryShape,
  JournalQuery,
  Page,
  RequestEntryShape,
  RequestQuery,
  ServiceRequestShape,
} from '../../control/shapes.js'
import { type Call, search, segment } from '../call.js'

/** The record of events. */
export type JournalControl = ReturnType<typeof journalControl>

/** Creates the functions for the journal. */
export function journalControl(call: Call) {
  return {
    /** Lists entries, newest first. */
    list: (query: JournalQuery = {}) => call<Page<EntryShape>>('GET', `/journal${search(query)}`),
    /** Lists requests without headers and bodies, newest first. */
    brief: (query: JournalQuery = {}) =>
      call<Page<RequestEntryShape>>('GET', `/journal${search({ ...query, type: 'request', brief: true })}`),
    /** Reads an answered request by its id, as in `X-Request-Id`. */
    request: async (id: string) => call<RequestEntryShape>('GET', `/journal/${segment(id)}`),
    /** Reads a request that repeats an answered one, with its code if wanted. */
    repeat: async (id: string, query: CodeQuery = {}) =>
      call<ServiceRequestShape>('GET', `/journal/${segment(id)}/request${search(query)}`),
    /**
     * Writes a Vitest file in which a request gets the answer of this one.
     * @throws ControlError 409 if no test can get it
     */
    test: async (id: string) => call<string>('GET', `/journal/${segment(id)}/test`),
    /** Exports the requests as a HAR file: an object of the format HAR 1.2, oldest request first. */
    har: (query: RequestQuery = {}) => call<object>('GET', `/journal.har${search(query)}`),
    /** Exports the requests with headers and bodies, oldest first, however many there are. */
    requests: (query: RequestQuery = {}) =>
      call<readonly RequestEntryShape[]>('GET', `/journal.json${search(query)}`),
  }
}
