import { Problem } from '../../../exchange/problem.js'

const BAD_GATEWAY = 502

/** Rejects a request that the service did not answer. */
export function unreachable(url: string, error: unknown): Problem {
  const message = `tasksim got no answer from ${new URL(url).origin}: ${causeOf(error)}. Check the network and --upstream.${adviceAboutProxy()}`
  return new Problem('unavailable', message, { own: { status: BAD_GATEWAY } })
}

/** Why a request failed. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // If a host has several addresses, the message is empty.
  const { message, code } = error as NodeJS.ErrnoException
  return message || code || error.name
}

function adviceAboutProxy(): string {
  const { HTTPS_PROXY, https_proxy: lower = HTTPS_PROXY, NODE_USE_ENV_PROXY } = process.env
  if (lower === undefined || NODE_USE_ENV_PROXY !== undefined) return ''
  return ' To use the proxy in HTTPS_PROXY, run Node 24 or later with NODE_USE_ENV_PROXY=1.'
}
