import { reasonOf } from '../../engine/errors.js'
import { LedgerError } from '../ledger-error.js'
import type { RedisAddress } from './redis-address.js'

const NO_TLS = 'If Redis does not use TLS at this port, use redis:// instead of rediss://.'

/** The remedy for each error, by its message and code. The first match applies. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^NOAUTH/, 'Add the password to the URL: redis://:PASSWORD@HOST.'],
  [/^WRONGPASS|invalid password/, 'Correct the user name and the password in the URL.'],
  [
    /without any password|no password is set/,
    'This Redis server has no password. Remove the password from the URL.',
  ],
  [
    /^NOPERM/,
    'Allow the user to access the keys that start with the prefix in braces, and to run the commands EVAL, HMGET, HGET, HKEYS, HSET, HDEL, SET, DEL, EXISTS, PTTL, SADD, SREM, SMEMBERS, MULTI, EXEC, PING, INFO and SELECT.',
  ],
  [/^OOM/, 'Redis has no memory left. Raise `maxmemory`, or remove other keys.'],
  [/^READONLY/, 'This Redis is a replica. Use the address of its primary.'],
  [/^MISCONF/, 'Redis cannot write to its disk. Free space on it, or correct `dir`.'],
  [/^LOADING/, 'Redis is still loading its data. Wait until it is ready.'],
  [
    /^WRONGTYPE/,
    'Another program uses keys of the ledger. Choose another prefix: add ?prefix=NAME to the URL.',
  ],
  [/^(?:MOVED|CLUSTERDOWN|CROSSSLOT)/, 'A ledger needs a single Redis server, not a cluster.'],
  [/^DENIED/, 'Redis runs in protected mode. Set a password, or `bind` it to an address.'],
  [/DB index is out of range/, 'Correct the number of the database in the URL, or raise `databases`.'],
  [
    /SELF_SIGNED|UNABLE_TO_|CERT_|ERR_TLS/,
    'Correct the certificate of Redis, or set the environment variable NODE_EXTRA_CA_CERTS to the file of its CA.',
  ],
  [/EPROTO|wrong version number|packet length/, NO_TLS],
  [/Unknown RESP type/, 'This is not a Redis server. Correct the host and the port.'],
  [/closed unexpectedly|ECONNRESET/, 'If Redis requires TLS, use rediss:// instead of redis://.'],
  [/./, 'Check that Redis runs there, and that this machine can reach it.'],
]

/** Describes an error of Redis or of its connection, with a remedy. */
export function redisError(
  { shown, isTls }: Pick<RedisAddress, 'shown' | 'isTls'>,
  error: unknown,
): LedgerError {
  if (error instanceof LedgerError) return error
  const reason = reasonOf(error) || codeOf(error) || 'no reason given'
  return new LedgerError(
    `Failed to use the ledger ${shown}: ${withoutDot(reason)}. ${isTls && /^no answer/.test(reason) ? NO_TLS : remedyOf(error, reason)}`,
    {
      cause: error,
    },
  )
}

function remedyOf(error: unknown, reason: string): string {
  const remedy = REMEDIES.find(([pattern]) => pattern.test(reason) || pattern.test(codeOf(error)))
  return remedy?.[1] ?? ''
}

function codeOf(error: unknown): string {
  const { code } = Object(error) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

function withoutDot(text: string): string {
  return text.replace(/\.\s*$/, '')
}
