import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'
import { FETCH_FAILED } from '../hosts/msw/failed-connection.js'
import { isAbandoned, never } from './abandoned.js'

type Fetch = typeof fetch

/** What all copies of this module share. */
interface ReplacedFetch {
  /** The function that code keeps, such as a client that was built before the test. */
  readonly replacement: Fetch
  /** The `fetch` of Node. */
  readonly original: Fetch
  /** The `fetch` of MSW, while it intercepts requests. */
  intercepted: Fetch | undefined
  /** Explains the error of a request that nobody answers. */
  explain: Explain | undefined
}

type Explain = (error: unknown, method: string, url: string) => void

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
    replacement: (...request) => {
      if (isAbandoned()) return never()
      const sending = replaced.intercepted?.(...request)
      if (sending === undefined) return replaced.original(...request)
      return sending.catch((error) => {
        replaced.explain?.(error, methodOf(request), urlOf(request))
        return throwAsNode(error)
      })
    },
    original: globalThis.fetch,
    intercepted: undefined,
    explain: undefined,
  }
  shared[REPLACED] = replaced
  globalThis.fetch = replaced.replacement
  return replaced
}

function methodOf([input, init]: Parameters<Fetch>): string {
  return init?.method ?? (input instanceof Request ? input.method : 'GET')
}

function urlOf([input]: Parameters<Fetch>): string {
  return input instanceof Request ? input.url : String(input)
}

/**
 * Lets MSW intercept the requests of the process, also those of clients that were built before.
 * @param explain explains the error of a request that nobody answers
 * @returns a function that ends this
 */
export function interceptRequests(server: { listen(): void; close(): void }, explain: Explain): () => void {
  const replaced = replaceFetch()
  replaced.explain = explain
  const own = globalThis.fetch
  // MSW sends what it does not answer to the function that it finds.
  globalThis.fetch = replaced.original
  server.listen()
  // Otherwise, another server of MSW was there before, and `own` is its function.
  if (globalThis.fetch !== replaced.original) replaced.intercepted = globalThis.fetch
  globalThis.fetch = own
  subscribe(REQUEST_ERROR, failAsNode)
  return () => {
    replaced.explain = undefined
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
  const { error, request } = message as { error: Error; request: ClientRequest }
  shared[REPLACED]?.explain?.(error, request.method, `${request.protocol}//${request.host}${request.path}`)
  if (error instanceof TypeError && error.message === 'Network error')
    Object.assign(error, { message: 'read ECONNRESET', code: 'ECONNRESET', errno: -104, syscall: 'read' })
}
