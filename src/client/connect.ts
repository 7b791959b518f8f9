import { checkOptionNames, describeValue, reasonOf, UsageError } from '../engine/errors.js'
import { httpUrl } from '../engine/webhooks/receivers/receiver.js'
import { type Call, contentOf, parseResponse } from './call.js'
import { Control } from './control.js'

/** The options of {@link connect}. */
export interface ConnectOptions {
  /** The control token. A server that other machines can reach requires it. */
  readonly token?: string
}

/**
 * Creates a client of the control API of a running server. Its methods throw a UsageError if the server is unreachable.
 * @param url the URL of the server; a path such as /api/v1 is ignored
 * @throws UsageError if the URL is invalid or an option is unknown
 * @example
 * const control = connect(process.env.TASKSIM_URL)
 * await control.clock.advance('2m')
 */
export function connect(url: string | URL, options: ConnectOptions = {}): Control {
  checkOptionNames('connect', options, { token: true })
  const token: unknown = options.token ?? undefined
  if (token !== undefined && typeof token !== 'string')
    throw new UsageError(`Expected \`token\` to be a string, got another type: ${typeof token}`)
  return new Control(callTo(url, options))
}

/**
 * Creates a function that sends requests to the control API of a running server. It throws a UsageError if the server is
 * unreachable.
 * @param url the URL of the server; a path such as /api/v1 is ignored
 * @throws UsageError if the URL is invalid
 */
export function callTo(url: string | URL, { token }: ConnectOptions = {}): Call {
  const { origin } = new URL(httpUrl(String(url)) ?? throwInvalidUrl(url))
  return createCall(`${origin}/_sim`, () => token, fetchOrExplain)
}

/**
 * Creates a function that sends requests to a control API over the network.
 * @param base the URL of the control API
 * @param token called before each request, because a page may receive the token later
 */
export function createCall(
  base: string,
  token: () => string | undefined,
  send: typeof fetch = (url, init) => fetch(url, init),
): Call {
  return async (method, path, body) => {
    const bearer = token()
    const content = body === undefined ? undefined : contentOf(body)
    const response = await send(base + path, {
      method,
      headers: {
        ...(content && { 'content-type': content.type }),
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      },
      ...(content && { body: content.text }),
    })
    // A browser fills a blob outside of the page. With text(), a body of 5 MB blocks the page for twice as long.
    const text = await (await response.blob()).text()
    return parseResponse(response.status, response.headers.get('content-type') ?? '', text)
  }
}

/** @throws UsageError if the server is unreachable */
const fetchOrExplain: typeof fetch = async (url, init) => {
  try {
    return await fetch(url, init)
  } catch (error) {
    throw new UsageError(
      `Cannot reach tasksim at ${new URL(String(url)).origin}: ${reasonOf(error)}. Is it running?`,
    )
  }
}

function throwInvalidUrl(url: unknown): never {
  throw new UsageError(
    `Expected the URL of a server, such as http://127.0.0.1:4010, got ${describeValue(url)}`,
  )
}
