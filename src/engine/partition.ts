const NAME = /^[A-Za-z0-9-]{1,32}$/

/** A description of the accepted names of partitions, worded to follow "to be". */
export const PARTITION_FORM = '1 to 32 letters, digits or hyphens, such as `eu-1`'

/** Whether a value is a name of a partition: one of several servers behind a load balancer. */
export function isPartition(value: unknown): value is string {
  return typeof value === 'string' && NAME.test(value)
}

/**
 * The name of a random stream that differs in each partition. Ids are drawn from such streams, so that servers with the
 * same seed give different ids; all other draws are equal.
 */
export function streamIn(partition: string | undefined, name: string): string {
  return partition === undefined ? name : `${name}\0${partition}`
}

/** The beginning of an id that is not random, with the partition; such as `req_` or, in the partition a, `req_a_`. */
export function prefixIn(partition: string | undefined, prefix: string): string {
  return partition === undefined ? prefix : `${prefix}${partition}_`
}

/** The query of a URL without an API key, with the partition for load balancers. A partition needs no encoding. */
export function queryIn(partition: string | undefined, query: string): string {
  if (partition === undefined) return query
  return `${query}${query === '' ? '' : '&'}partition=${partition}`
}

/** A sentence for an error message that a request for another partition may get; empty without partitions. */
export function partitionNote({ partition }: { readonly partition: string | undefined }): string {
  return partition === undefined ? '' : ` This server is the partition ${partition}.`
}
