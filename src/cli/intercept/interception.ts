import { randomBytes } from 'node:crypto'
import { type Certificate, selfSigned } from './certificate.js'
import { type InterceptionFiles, writeFiles } from './files.js'
import { noProxyEntries, OWN_HOSTS, patternsOf } from './no-proxy.js'
import { PrivateFolder } from './private-folder.js'
import type { ServiceHosts } from './service-hosts.js'
import { Traffic } from './traffic.js'
import { variablesFor } from './variables.js'

/** What an interception is for. */
export interface InterceptionSettings {
  readonly hosts: ServiceHosts
  /** Patterns of further hosts that clients may reach; `*` matches any characters. */
  readonly allowed: readonly string[]
  /** The environment of the user. */
  readonly env: NodeJS.ProcessEnv
  /** How long the certificate is valid. */
  readonly days: number
}

/**
 * What makes programs trust one certificate and send their requests for the hosts of services to a port of this machine:
 * the certificate, files in a private folder, and environment variables. Several interceptors may use it.
 */
export class Interception {
  readonly settings: InterceptionSettings
  readonly certificate: Certificate
  /** The secret that clients need to reach allowed hosts through the proxy; undefined without such hosts. */
  readonly secret: string | undefined
  readonly folder = new PrivateFolder()
  /** What clients sent to its interceptors. */
  readonly traffic = new Traffic()
  readonly #files: InterceptionFiles
  readonly #noProxy: readonly string[]

  constructor(settings: InterceptionSettings) {
    const { hosts, allowed, env, days } = settings
    this.settings = settings
    this.certificate = selfSigned(hosts.names, days)
    this.secret = allowed.length === 0 ? undefined : randomBytes(16).toString('hex')
    this.#noProxy = [...new Set([...noProxyEntries(env, hosts.names), ...OWN_HOSTS])]
    this.#files = writeFiles(this.folder, this.certificate.certificate, env, {
      authorities: hosts.authorities,
      passing: [...allowed, ...patternsOf(this.#noProxy)],
    })
  }

  /** The variables of a program, for an interceptor at a port. */
  variables(port: number): Record<string, string> {
    const { env } = this.settings
    return variablesFor(this.#files, env, { port, secret: this.secret, noProxy: this.#noProxy })
  }

  /** Deletes the files. */
  close(): void {
    this.folder.delete()
  }
}
