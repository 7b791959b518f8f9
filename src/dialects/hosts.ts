/** A host of a service. */
export interface DialectHost {
  /** Such as `https://api.example.com`. */
  readonly origin: string
  /** The start of the paths of its operations in the dialect; empty if the service has one host. */
  readonly path: string
}

/** Where requests for other URLs of the service arrive, as at a proxy. */
export interface ForwardedPath {
  readonly path: string
  /** The header with the URL for which a request is. */
  readonly header: string
}
