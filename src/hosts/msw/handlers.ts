import escapeStringRegexp from 'escape-string-regexp'
import { type HttpHandler, http } from 'msw'
import { checkOptionNames } from '../../engine/known-options.js'
import { answer } from '../../http/pipeline.js'
import { ROUTES } from '../../http/routes.js'
import type { Simulator } from '../../simulator.js'
import { FetchRequest } from './fetch-request.js'
import { toResponse } from './to-response.js'

/** Where the service seems to be. */
export interface HandlersOptions {
  /**
   * Where the client under test expects the API, such as https://api.example.com/api/v1. Without it the API
   * answers on every origin, and nothing but its own paths.
   */
  readonly baseUrl?: string
}

/**
 * The simulated service as MSW request handlers, for `setupServer` in Node and `setupWorker` in a browser.
 *
 * One handler serves all paths: MSW compiles a handler's path anew for every request, matching or not.
 * @throws UsageError where an option is unknown
 * @example
 * const server = setupServer(...handlers(sim, { baseUrl: 'https://api.example.com/api/v1' }))
 */
export function handlers(sim: Simulator, options: HandlersOptions = {}): HttpHandler[] {
  checkOptionNames('handlers', options, { baseUrl: true })
  const { baseUrl } = options
  const place = baseUrl === undefined ? ANYWHERE : placeAt(baseUrl)
  return [
    http.all(place.matches, async ({ request }) => {
      const url = new URL(request.url)
      return toResponse(request, await answer(sim, new FetchRequest(request, url, place.pathOf(url))))
    }),
  ]
}

/** Where the API seems to be: which URLs are its own, and what their paths are in the table of routes. */
interface Place {
  readonly matches: RegExp
  pathOf(url: URL): string
}

/** What stands behind the id of a sandbox is for the table of routes to know. */
const IN_SANDBOX = '/_sim/sandboxes/[^/]+/.+'

/** MSW decodes what a group of the expression captures, and fails where that is not possible, as for `%E0%A4%A`. */
function withoutCaptures(source: string): string {
  return source.replaceAll(/\\.|\((?!\?)/g, (part) => (part === '(' ? '(?:' : part))
}

const ANYWHERE: Place = {
  matches: new RegExp(
    `^https?://[^/]+(?:${[...ROUTES.map(({ path }) => withoutCaptures(path.source.slice(1, -1))), IN_SANDBOX].join('|')})(?:\\?.*)?$`,
  ),
  pathOf: (url) => url.pathname,
}

const OWN_BASE = '/api/v1'

function placeAt(baseUrl: string): Place {
  const { origin, pathname } = new URL(baseUrl)
  const base = pathname.replace(/\/+$/, '')
  // Output URLs, and what steers the simulator, lie at the root of the same origin.
  const beside = new RegExp(`^${escapeStringRegexp(origin)}/(?:files/(?:sb_\\w+/)?task_[A-Za-z0-9]+|_sim)/`)
  return {
    matches: new RegExp(`${beside.source}|^${escapeStringRegexp(origin + base)}(?:[/?]|$)`),
    pathOf: (url) => (beside.test(url.href) ? url.pathname : OWN_BASE + url.pathname.slice(base.length)),
  }
}
