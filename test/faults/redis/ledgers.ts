import type { Epoch, Ledger, Row } from '../../../src/ledger/ledger.js'
import { openRedisLedger } from '../../../src/ledger/redis/redis-ledger.js'
import { type RedisServer, withRedis } from './redis-server.js'

/** Opens ledgers in a Redis server, and closes them afterwards. */
export async function withLedgers(
  use: (open: (query?: string) => Promise<Ledger>, redis: RedisServer, warnings: string[]) => Promise<void>,
  ...options: string[]
): Promise<void> {
  await withRedis(
    async (redis) => {
      const opened: Ledger[] = []
      const warnings: string[] = []
      const open = async (query = '') => {
        const ledger = await openRedisLedger(redis.url + query, { onWarning: (text) => warnings.push(text) })
        opened.push(ledger)
        return ledger
      }
      try {
        await use(open, redis, warnings)
      } finally {
        await Promise.all(opened.map((ledger) => ledger.close()))
      }
    },
    ...options,
  )
}

/** Takes the lead, which must be free. */
export async function leadOf(ledger: Ledger): Promise<Epoch> {
  const epoch = await ledger.lead()
  if (epoch === undefined) throw new Error('Expected that nobody leads')
  return epoch
}

/** A row of the kind `task`. */
export function task(seq: number, value: unknown, space = ''): Row {
  return { space, kind: 'task', seq, json: value === undefined ? undefined : JSON.stringify(value) }
}

/** All rows, as short texts such as `/task/1 {}`. */
export async function rowsOf(ledger: Ledger): Promise<string[]> {
  const rows: string[] = []
  for await (const batch of ledger.load())
    for (const { space, kind, seq, json, bytes } of batch)
      rows.push(`${space}/${kind}/${seq} ${json}${bytes === undefined ? '' : ` ${[...bytes]}`}`)
  return rows
}
