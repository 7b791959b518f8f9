import { randomBytes } from 'node:crypto'
import { type Certificate, selfSigned } from './certificate.js'
import { type InterceptionFiles, writeFiles } from './files.js'
import { PrivateFolder } from './private-folder.js'
import type { ServiceHosts } from './service-hosts.js'
import { noProxyEntries, OWN_HOSTS, patternsOf, variablesFor } from './variables.js'

/** What an interception is for. */
interface InterceptionSettings {
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

/** What clients sent to an interceptor. */
export class Traffic {
  /** How connections to hosts of services arrived. */
  readonly connections = { proxy: 0, preload: 0 }
  /** The requests to hosts of services, by origin. */
  readonly requests = new Map<string, number>()
  /** The requests whose paths no operation of the service has, by method and URL. */
  readonly unknownPaths = new Map<string, number>()
  /** The refused connections to other hosts, by authority. */
  readonly refused = new Map<string, number>()
  /** The connections that passed to allowed hosts, by authority. */
  readonly passed = new Map<string, number>()
  /** The connections that failed in TLS, by host and reason. */
  readonly failed = new Map<string, number>()

  /** Adds one. @param given a name that clients choose */
  count(what: 'requests' | 'unknownPaths' | 'refused' | 'passed' | 'failed', given: string): void {
    const counts = this[what]
    // It is shown on a terminal.
    const name = given.slice(0, LONGEST_NAME).replace(/[^\x20-\x7e]/g, '?')
    if (counts.has(name) || counts.size < MOST_NAMES) counts.set(name, (counts.get(name) ?? 0) + 1)
  }

  /** The number of requests to hosts of services. */
  get total(): number {
    return [...this.requests.values()].reduce((sum, count) => sum + count, 0)
  }
}

/** A client that calls ever new paths must not fill the memory. */
const MOST_NAMES = 1_000
const LONGEST_NAME = 300
