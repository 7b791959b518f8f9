import type { RedisAddress } from './redis-address.js'
import type { RedisConnection } from './redis-connection.js'

/** Warns about the settings with which a Redis server may lose rows. A server that hides its settings gets no warning. */
export async function serverWarnings(
  connection: RedisConnection,
  { shown }: RedisAddress,
): Promise<readonly string[]> {
  const info = await connection.send(['INFO']).catch(() => '')
  return warningsOf(String(info)).map((text) => `The ledger ${shown} ${text}`)
}

/**
 * Describes each setting that may lose rows.
 * @param info the reply to INFO
 */
export function warningsOf(info: string): string[] {
  const field = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? ''
  const warnings: string[] = []
  if (field('aof_enabled') === '0')
    warnings.push(
      'has no append-only file, so a restart of Redis loses the latest rows or all rows. Start Redis with `--appendonly yes`.',
    )
  if (Number(field('maxmemory')) > 0 && field('maxmemory_policy').startsWith('allkeys'))
    warnings.push(
      `deletes rows when its memory is full (${field('maxmemory_policy')}). Set \`maxmemory-policy noeviction\`.`,
    )
  return warnings
}
