import { reasonOf, UsageError } from '../engine/errors.js'
import { checkOptionNames } from '../engine/known-options.js'
import { httpUrl } from '../engine/webhooks/http-url.js'
import { type Call, Control, ControlError } from './control.js'

/** How to get in. */
export interface ConnectOptions {
  /** The token that a server wants which is bound to more than this machine. */
  readonly token?: string
}

/**
 * A handle on a simulator that runs elsewhere.
 * @param url where the server is; a path such as /api/v1 is left out
 * @throws UsageError where it is no URL, or an option is unknown; so do its methods where nobody answers there
 * @example
 * const control = connect(process.env.TASKSIM_URL)
 * await control.clock.advance('2m')
 */
export function connect(url: string, options: ConnectOptions = {}): Control {
  checkOptionNames('connect', options, { token: true })
  const { token } = options
  const { origin } = new URL(httpUrl(url) ?? refuse(url))
  return new Control(callAt(`${origin}/_sim`, () => token, reach))
}

/**
 * Makes requests to a control API over the network.
 * @param base its URL
 * @param token asked for with each request, as a page may be given one meanwhile
 */
export function callAt(
  base: string,
  token: () => string | undefined,
  send: typeof fetch = (url, init) => fetch(url, init),
): Call {
  return async (method, path, body) => {
    const shown = token()
    const response = await send(base + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(shown !== undefined && { authorization: `Bearer ${shown}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return understood(response.status, response.headers.get('content-type') ?? '', await response.text())
  }
}

/** @throws UsageError where nobody answers */
const reach: typeof fetch = async (url, init) => {
  try {
    return await fetch(url, init)
  } catch (error) {
    throw new UsageError(
      `Cannot reach tasksim at ${new URL(String(url)).origin}: ${reasonOf(error)}. Is it running?`,
    )
  }
}

function refuse(url: string): never {
  throw new UsageError(
    `Expected the URL of a server, such as http://127.0.0.1:4010, got ${JSON.stringify(url)}`,
  )
}

/**
 * What an answer of the control API says.
 * @throws ControlError where it is a refusal
 */
export function understood(status: number, type: string, text: string): unknown {
  const value: unknown = type.includes('json') ? JSON.parse(text) : text
  if (status < 400) return value
  const { error = value } = Object(value) as { error?: unknown }
  throw new ControlError(status, Object(error) as Record<string, unknown>)
}
