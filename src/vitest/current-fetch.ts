import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { FETCH_FAILED } from '../hosts/msw/failed-connection.js'

type Fetch = typeof fetch

/** What all copies of this module share. */
interface ReplacedFetch {
  /** The function that code keeps, such as a client that was built before the test. */
  readonly replacement: Fetch
  /** The `fetch` of Node. */
  readonly original: Fetch
  /** The `fetch` of MSW, while it intercepts requests. */
  intercepted: Fetch | undefined
}

const REPLACED = Symbol.for('tasksim.replacedFetch')
const shared = globalThis as { [REPLACED]?: ReplacedFetch }

/**
 * Replaces `fetch` for good, with a function that calls the one of MSW while a test with `sim` runs, otherwise the
 * original. So a client may keep `fetch` when it is built, before the test.
 */
export function replaceFetch(): ReplacedFetch {
  const existing = shared[REPLACED]
  if (existing !== undefined) return existing
  const replaced: ReplacedFetch = {
    replacement: (...request) =>
      replaced.intercepted?.(...request).catch(throwAsNode) ?? replaced.original(...request),
    original: globalThis.fetch,
    intercepted: undefined,
  }
  shared[REPLACED] = replaced
  globalThis.fetch = replaced.replacement
  return replaced
}

/**
 * Lets MSW intercept the requests of the process, also those of clients that were built before.
 * @returns a function that ends this
 */
export function interceptRequests(server: { listen(): void; close(): void }): () => void {
  const replaced = replaceFetch()
  const own = globalThis.fetch
  // MSW sends what it does not answer to the function that it finds.
  globalThis.fetch = replaced.original
  server.listen()
  // Otherwise, another server of MSW was there before, and `own` is its function.
  if (globalThis.fetch !== replaced.original) replaced.intercepted = globalThis.fetch
  globalThis.fetch = own
  subscribe(REQUEST_ERROR, failAsNode)
  return () => {
    unsubscribe(REQUEST_ERROR, failAsNode)
    if (replaced.intercepted === undefined) {
      server.close()
      return
    }
    const shown = globalThis.fetch
    globalThis.fetch = replaced.intercepted
    server.close()
    replaced.intercepted = undefined
    globalThis.fetch = shown
  }
}

/** @throws the error of Node, instead of MSW's, if the simulator has closed the connection */
function throwAsNode(error: unknown): never {
  throw (error as { cause?: { [FETCH_FAILED]?: Error } } | undefined)?.cause?.[FETCH_FAILED] ?? error
}

/** Where Node publishes the errors of `node:http`, before clients get them. */
const REQUEST_ERROR = 'http.client.request.error'

/** MSW has one error for every failed connection, without the code after which clients of `node:http` retry. */
function failAsNode(message: unknown): void {
  const { error } = message as { error: Error }
  if (error instanceof TypeError && error.message === 'Network error')
    Object.assign(error, { message: 'read ECONNRESET', code: 'ECONNRESET', errno: -104, syscall: 'read' })
}
