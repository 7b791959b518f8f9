import { LedgerError } from '../ledger-error.js'

/** The address of the Redis server of a ledger, and the prefix of its keys. */
export interface RedisAddress {
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  readonly username: string | undefined
  readonly password: string | undefined
  readonly database: number
  /** The start of all keys. */
  readonly prefix: string
  /** The URL without user name and password, for messages. */
  readonly shown: string
}

const FORM = 'redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE][?prefix=NAME], or rediss:// for TLS'
const DEFAULT_PORT = 6379
const DEFAULT_PREFIX = 'tasksim'
// Braces mark the part of a key that Redis Cluster hashes, and a glob would match other keys.
const PREFIX_FORM = /^[\w.:-]{1,100}$/

/**
 * Reads the URL of a Redis ledger.
 * @throws LedgerError if it is not valid; the message does not show the URL, which may have a password
 */
export function readRedisUrl(text: string): RedisAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || (url.protocol !== 'redis:' && url.protocol !== 'rediss:'))
    throw new LedgerError(
      `The URL of the ledger is not valid. Expected ${FORM}. Encode special characters in the password, such as @ as %40.`,
    )
  const isTls = url.protocol === 'rediss:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1') || '127.0.0.1'
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port)
  const database = databaseOf(url)
  const prefix = prefixOf(url)
  return {
    host,
    port,
    isTls,
    username: decoded(url.username),
    password: decoded(url.password),
    database,
    prefix,
    shown: `${url.protocol}//${host.includes(':') ? `[${host}]` : host}:${port}${database === 0 ? '' : `/${database}`}${prefix === DEFAULT_PREFIX ? '' : `?prefix=${prefix}`}`,
  }
}

function databaseOf({ pathname }: URL): number {
  const text = pathname.replace(/^\//, '')
  if (/^\d{0,5}$/.test(text)) return Number(text)
  throw new LedgerError(
    `The database in the URL of the ledger must be a whole number, such as /1; got ${JSON.stringify(pathname)}.`,
  )
}

function prefixOf({ searchParams }: URL): string {
  const unknown = [...searchParams.keys()].find((name) => name !== 'prefix')
  if (unknown !== undefined)
    throw new LedgerError(
      `The URL of the ledger has the unknown parameter ${JSON.stringify(unknown)}. Expected ${FORM}.`,
    )
  const prefix = searchParams.get('prefix') ?? DEFAULT_PREFIX
  if (PREFIX_FORM.test(prefix)) return prefix
  throw new LedgerError(
    `The prefix in the URL of the ledger must consist of 1 to 100 letters, digits, and . : _ -; got ${JSON.stringify(prefix)}.`,
  )
}

function decoded(text: string): string | undefined {
  if (text === '') return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    throw new LedgerError(
      'The user name or the password in the URL of the ledger has a % without two hexadecimal digits after it. Write %25 instead.',
    )
  }
}
