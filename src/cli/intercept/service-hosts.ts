import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { Dialects } from '../../dialects/dialects.js'
import { servicePath } from '../../dialects/service-path.js'
import type { DialectHost } from '../../dialects/table/dialect-table.generated.js'
import { rememberLast } from '../../engine/recent.js'
import { partsOf, type RequestAddress } from '../../hosts/express/node-request.js'
import { CommandLineError } from '../errors.js'

/** A host of a service. */
interface ServiceHost {
  /** The name of the dialect. */
  readonly dialect: string
  readonly host: DialectHost
}

/** The hosts of the services whose requests are intercepted. */
export class ServiceHosts {
  /** By authority, such as `api.replicate.com:443`. */
  readonly #hosts = new Map<string, ServiceHost>()
  /** The names of the dialects. */
  readonly dialects: readonly string[]

  private constructor(dialects: readonly string[]) {
    this.dialects = dialects
  }

  /**
   * Loads the hosts of dialects.
   * @param names the names of the dialects; all that have hosts if empty
   * @throws UsageError if there is no dialect with a name, or it has no hosts that can be intercepted
   */
  static async load(dialects: Dialects, names: readonly string[]): Promise<ServiceHosts> {
    for (const name of names) dialects.check(name)
    const all = await Promise.all(
      (names.length > 0 ? names : dialects.names).map((name) => dialects.load(name)),
    )
    const usable = all.filter(({ hosts }) => hosts.some(canIntercept))
    const without = names.find((name) => !usable.some((dialect) => dialect.name === name))
    if (without !== undefined) throw unusable(without)
    const found = new ServiceHosts(usable.map(({ name }) => name))
    for (const { name, hosts } of usable)
      for (const host of hosts.filter(canIntercept))
        found.#hosts.set(authorityOf(new URL(host.origin)), { dialect: name, host })
    return found
  }

  /** The authorities, such as `api.replicate.com:443`. */
  get authorities(): readonly string[] {
    return [...this.#hosts.keys()]
  }

  /** The names of the hosts, without ports. */
  get names(): readonly string[] {
    return [...new Set(this.authorities.map((authority) => authority.replace(/:\d+$/, '')))]
  }

  /** @param authority such as `api.replicate.com:443` */
  has(authority: string): boolean {
    return this.#hosts.has(authority)
  }

  /** Where a request goes; undefined if it is for none of the hosts. */
  addressOf({ url = '', headers }: IncomingMessage): RequestAddress | undefined {
    const authority = authorityIn(url, headers.host)
    const found = authority === undefined ? undefined : this.#hosts.get(authority)
    if (found === undefined) return undefined
    const { dialect, host } = found
    return { origin: host.origin, path: servicePath(dialect, host, partsOf(url).path) }
  }
}

/** Others are reached without TLS, with the certificate of an address, or have a pattern that stands for many hosts. */
function canIntercept({ origin }: DialectHost): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, hostname } = new URL(origin)
  const isName = NAME.test(hostname) && hostname.length <= LONGEST_NAME
  return protocol === 'https:' && isName && isIP(hostname) === 0 && hostname !== 'localhost'
}

/** The name of a host (RFC 1123), and underscores. */
const NAME = /^(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?\.)*[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/
const LONGEST_NAME = 253

function unusable(name: string): CommandLineError {
  return new CommandLineError(
    `--intercept: the dialect ${JSON.stringify(name)} has no hosts with https. Add the origins that the client calls to its file, such as hosts: [https://api.example.com].`,
  )
}

function authorityOf({ hostname, port }: URL): string {
  return `${hostname}:${port || '443'}`
}

/** The authority of a request to a server with TLS: that of its target, as at a proxy, or of its Host header. */
function authorityIn(target: string, host: string | undefined): string | undefined {
  const [absolute] = /^https:\/\/[^/?]+/i.exec(target) ?? []
  const text = absolute ?? (target.startsWith('/') && host !== undefined ? `https://${host}` : '')
  return normalized(text)
}

/** Nearly every request has the same host, and parsing a URL costs as much as the rest of a poll. */
const normalized = rememberLast((text: string): string | undefined => {
  const isPlain = !/[?#@\\\s]/.test(text) && text.indexOf('/', 'https://'.length) === -1
  return isPlain && URL.canParse(text) ? authorityOf(new URL(text)) : undefined
})
