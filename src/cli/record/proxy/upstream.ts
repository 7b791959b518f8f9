import type { Dialect } from '../../../dialects/dialect.js'
import type { Dialects } from '../../../dialects/dialects.js'
import { maskUrl } from '../../../engine/mask.js'
import { HTTP_URL_FORM, httpUrl } from '../../../engine/webhooks/receivers/receiver.js'
import { clientAddress } from '../../dialects/client-address.js'
import { CommandLineError } from '../../errors.js'

/** A host of the service, and where its requests go. */
export interface UpstreamHost {
  /** The service's own origin, which clients name in forwarded requests. */
  readonly origin: string
  /** The start of its paths at the proxy, below the mount; empty if the service has one host. */
  readonly path: string
  /** The start of the URLs to which its requests go, such as `https://queue.fal.run`. */
  readonly base: string
}

/** Where a client reaches the proxy. */
export interface ClientBase {
  /** Scheme and host. */
  readonly origin: string
  /** `/` and the name of the dialect, or nothing at the root. */
  readonly mount: string
}

/** Texts, and the texts in their place. */
export type Replacements = readonly (readonly [from: string, to: string])[]

/** The real service: its hosts, and the addresses that the proxy has for them. */
export class Upstream {
  readonly hosts: readonly UpstreamHost[]
  readonly #mount: string
  readonly #paths: ReadonlySet<string>

  /**
   * @param given the URL in place of the hosts of the service: the start of all its URLs, or the base URL of a client
   * @throws UsageError if there is no such URL and the dialect names no hosts
   */
  constructor(dialect: Dialect, dialects: Dialects, given: string | undefined) {
    const { prefix = '', operations } = dialect.table
    this.#mount = dialect.name === dialects.main ? '' : `/${dialect.name}`
    this.#paths = new Set(operations.map(({ path }) => prefix + path))
    const own = dialect.hosts.length === 0 ? [{ origin: '', path: '' }] : dialect.hosts
    const base = given === undefined ? undefined : baseIn(given, clientPath(dialects, dialect, this.#mount))
    if (base === undefined && dialect.hosts.length === 0) throw withoutHost(dialect)
    this.hosts = own.map(({ origin, path }) => ({
      origin,
      path,
      base: base === undefined ? origin : base + path,
    }))
  }

  /** The origins of the service. */
  get origins(): readonly string[] {
    return [...new Set(this.hosts.map(({ base }) => new URL(base).origin))]
  }

  /** Splits a path into the mount of the service, if it has one, and the rest. */
  split(path: string): { readonly mount: string; readonly path: string } {
    const isMounted = this.#mount !== '' && path.startsWith(`${this.#mount}/`)
    return isMounted ? { mount: this.#mount, path: path.slice(this.#mount.length) } : { mount: '', path }
  }

  /** The URL for a path below the mount; undefined if no host has it. */
  urlOf(path: string): string | undefined {
    const [host] = this.hosts
      .filter((host) => path === host.path || path.startsWith(`${host.path}/`))
      .sort((one, other) => other.path.length - one.path.length)
    if (host !== undefined) return host.base + path.slice(host.path.length)
    // A server of tasksim has some paths, such as that of the keys of a service, without the path of their host, too.
    const owner = this.hosts.find((each) => this.#paths.has(each.path + path))
    return owner && owner.base + path
  }

  /** The URL in place of one on a host of the service. */
  urlFor({ origin, pathname }: URL): string | undefined {
    const host = this.hosts.find((each) => each.origin === origin)
    return host && host.base + pathname
  }

  /** Replaces the addresses of the service by those of the proxy. */
  toClient({ origin, mount }: ClientBase): Replacements {
    return this.hosts.map(({ base, path }) => [base, origin + mount + path])
  }

  /** Replaces the addresses of the proxy by those of the service. */
  toService(client: ClientBase): Replacements {
    const bases = new Map<string, string>()
    for (const [base, address] of this.toClient(client)) if (!bases.has(address)) bases.set(address, base)
    return [...bases]
  }
}

/** The path of the base URL of a client, below the mount. */
function clientPath(dialects: Dialects, { name }: Dialect, mount: string): string {
  return clientAddress(dialects, name).path.slice(mount.length)
}

/** @throws UsageError if the text is not a URL */
function baseIn(given: string, clientPath: string): string {
  const url = httpUrl(given)
  if (url === undefined)
    throw new CommandLineError(`--upstream must be ${HTTP_URL_FORM}; got ${JSON.stringify(maskUrl(given))}.`)
  const { origin, pathname } = new URL(url)
  const path = pathname.replace(/\/+$/, '')
  return origin + (clientPath !== '' && path.endsWith(clientPath) ? path.slice(0, -clientPath.length) : path)
}

function withoutHost({ name }: Dialect): CommandLineError {
  return new CommandLineError(
    `The dialect ${name} names no host, so tasksim does not know where the service is. Pass its URL, such as --upstream https://api.example.com, or select another service with --dialect (see tasksim dialects).`,
  )
}
