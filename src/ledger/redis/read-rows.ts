import type { Row } from '../ledger.js'
import { hashName, type LedgerKeys, rowsIn } from './keys.js'
import type { RedisConnection } from './redis-connection.js'

/** The number of rows that one command reads. Redis runs no other command meanwhile. */
const BATCH = 1_000
/** The number of rows with bytes that one command reads: each may have megabytes. */
const BATCH_WITH_BYTES = 4

/** Some rows of one hash. */
interface Batch {
  readonly space: string
  readonly kind: string
  readonly seqs: readonly number[]
  /** The key of the texts. */
  readonly rows: string
  /** The key of the bytes, if any row of the hash has bytes. */
  readonly bytes: string | undefined
}

/**
 * Reads all rows, in ascending order of their numbers within each hash. Requests the next batch while the caller
 * processes the current one.
 * @throws LedgerError if Redis does not answer
 */
export async function* readRows(
  connection: RedisConnection,
  keys: LedgerKeys,
): AsyncGenerator<readonly Row[]> {
  const batches = await planBatches(connection, keys)
  let next = readBatch(connection, batches[0])
  for (let at = 1; at <= batches.length; at++) {
    const rows = await next
    next = readBatch(connection, batches[at])
    // The `await` of the next round throws the error.
    next.catch(() => {})
    yield rows
  }
}

async function planBatches(connection: RedisConnection, keys: LedgerKeys): Promise<Batch[]> {
  const names = new Set(strings(await connection.send(['SMEMBERS', keys.index])))
  const hashes = [...names].sort().flatMap((name) => {
    const part = rowsIn(name)
    if (part === undefined) return []
    const bytes = hashName('bytes', part.space, part.kind)
    return [{ ...part, rows: keys.hash(name), bytes: names.has(bytes) ? keys.hash(bytes) : undefined }]
  })
  const numbers = await Promise.all(hashes.map(({ rows }) => connection.send(['HKEYS', rows])))
  return hashes.flatMap((hash, at) => {
    const seqs = strings(numbers[at]).map(Number)
    seqs.sort((one, other) => one - other)
    return inGroups(seqs, hash.bytes === undefined ? BATCH : BATCH_WITH_BYTES).map((some) => ({
      ...hash,
      seqs: some,
    }))
  })
}

async function readBatch(connection: RedisConnection, batch: Batch | undefined): Promise<Row[]> {
  if (batch === undefined) return []
  const { space, kind, seqs } = batch
  const fields = seqs.map(String)
  const [texts, contents] = await Promise.all([
    connection.send(['HMGET', batch.rows, ...fields]),
    batch.bytes === undefined ? [] : connection.send(['HMGET', batch.bytes, ...fields], true),
  ])
  return seqs.map((seq, at) => {
    const json = itemOf(texts, at)
    const bytes = itemOf(contents, at)
    return {
      space,
      kind,
      seq,
      json: typeof json === 'string' ? json : undefined,
      bytes: bytes instanceof Buffer ? new Uint8Array(bytes) : undefined,
    }
  })
}

function inGroups<Item>(items: readonly Item[], size: number): Item[][] {
  const groups: Item[][] = []
  for (let at = 0; at < items.length; at += size) groups.push(items.slice(at, at + size))
  return groups
}

function strings(reply: unknown): string[] {
  return Array.isArray(reply) ? reply.map(String) : []
}

function itemOf(reply: unknown, at: number): unknown {
  return Array.isArray(reply) ? reply[at] : undefined
}
