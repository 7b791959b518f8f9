import { UsageError } from '../core/errors.js'
import { httpUrl } from '../core/webhook/http-url.js'
import { Control, ControlError } from './control.js'

/** How to get in. */
export interface ConnectOptions {
  /** The token that a server wants which is bound to more than this machine. */
  readonly token?: string
}

/**
 * A handle on a simulator that runs elsewhere.
 * @param url where the server is; a path such as /api/v1 is left out
 * @throws UsageError where it is no URL; so do its methods where nobody answers there
 * @example
 * const control = connect(process.env.TASKSIM_URL)
 * await control.clock.advance('2m')
 */
export function connect(url: string, { token }: ConnectOptions = {}): Control {
  const { origin } = new URL(httpUrl(url) ?? refuse(url))
  return new Control(async (method, path, body) => {
    const response = await reach(origin, `/_sim${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return understood(response.status, response.headers.get('content-type') ?? '', await response.text())
  })
}

/** @throws UsageError where nobody answers, with what `fetch` itself hides in a cause */
async function reach(origin: string, path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(origin + path, init)
  } catch (error) {
    const { cause = error } = Object(error) as { cause?: { code?: string; message?: string } }
    const { code, message } = Object(cause) as { code?: string; message?: string }
    throw new UsageError(`Cannot reach tasksim at ${origin}: ${code ?? message}. Is it running?`)
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
