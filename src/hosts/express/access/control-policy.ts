import { randomUUID } from 'node:crypto'
import { UsageError } from '../../../engine/errors.js'
import { isLoopbackName } from '../../../engine/loopback-name.js'
import { LOOPBACK_HOSTS, normalized } from './host-names.js'
import type { ControlPolicy } from './rules.js'

/** The settings of a server that concern its control API. */
interface ControlSettings {
  readonly controlToken?: string | undefined
  readonly controlOrigins?: readonly string[] | undefined
  readonly allowHosts?: readonly string[] | undefined
}

/**
 * Who may use the control API of a server: programs on this machine. Other machines need the token.
 * @param host the address on which the server listens
 * @throws UsageError if a header cannot carry the token
 */
export function controlPolicy(
  host: string,
  { controlToken: token, controlOrigins: origins, allowHosts = [] }: ControlSettings,
): ControlPolicy {
  if (token !== undefined) checkToken(token)
  if (!isLoopback(host)) return { token: token ?? randomUUID(), origins }
  return { token, origins, hosts: [...new Set([...LOOPBACK_HOSTS, host, ...allowHosts.map(normalized)])] }
}

/** Rejects a token that a header cannot carry unchanged. */
function checkToken(token: string): void {
  if (/^[\x21-\x7e]+$/.test(token)) return
  throw new UsageError(
    'The control token must consist of visible ASCII characters without a space, such as the output of `openssl rand -hex 16`.',
  )
}

/** Whether only programs on this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return host === '::1' || isLoopbackName(host)
}
