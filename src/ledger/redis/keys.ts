/** The keys of a ledger. The braces put all of them into one slot of a Redis Cluster. */
export class LedgerKeys {
  readonly meta: string
  readonly lease: string
  /** The set of the names of all hashes of rows. */
  readonly index: string
  readonly #prefix: string

  constructor(prefix: string) {
    this.#prefix = `{${prefix}}:`
    this.meta = `${this.#prefix}meta`
    this.lease = `${this.#prefix}lease`
    this.index = `${this.#prefix}index`
  }

  /** The keys of a commit to some hashes. */
  ofCommit(names: Iterable<string>): string[] {
    return [this.meta, this.lease, this.index, ...Array.from(names, (name) => this.hash(name))]
  }

  /** The key of a hash of rows. */
  hash(name: string): string {
    return this.#prefix + name
  }
}

/** What a hash contains: the JSON texts of its rows, or their bytes. */
type Content = 'rows' | 'bytes'

/** The name of the hash with the rows of a space and kind. Its fields are the numbers of the rows. */
export function hashName(content: Content, space: string, kind: string): string {
  return `${content}:${space}:${kind}`
}

/** The space and kind of a hash of rows; undefined if it is one of bytes. */
export function rowsIn(name: string): { readonly space: string; readonly kind: string } | undefined {
  const [, space, kind] = /^rows:(.*):([^:]+)$/s.exec(name) ?? []
  return space === undefined || kind === undefined ? undefined : { space, kind }
}
