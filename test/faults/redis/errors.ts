import { LedgerError } from '../../../src/ledger/ledger-error.js'
import { openRedisLedger } from '../../../src/ledger/redis/redis-ledger.js'
import { type Check, expectEqual, expectThat } from '../../support/check.js'
import { freePort } from '../../support/processes.js'
import { serveHere } from '../../support/receiver.js'
import { createCertificate } from './certificate.js'
import { LedgerProcess } from './ledger-process.js'
import { leadOf, task } from './ledgers.js'
import { type RedisServer, withRedis } from './redis-server.js'

const PASSWORD = 'hunter2'
const WITH_PASSWORD = ['--requirepass', PASSWORD]

/** What a ledger says about a Redis that it cannot use. */
export const redisErrors: readonly Check[] = [
  refusal('no server at the port', 'Check that Redis runs there', async () => {
    await attempt(`redis://127.0.0.1:${await freePort()}`)
  }),
  refusal('a server of another protocol', 'This is not a Redis server', async () => {
    const server = await serveHere((_, response) => response.end())
    try {
      await attempt(server.origin.replace('http', 'redis'))
    } finally {
      server.close()
    }
  }),
  onServer('a missing password', 'Add the password to the URL', ({ url }) => attempt(url), WITH_PASSWORD),
  onServer(
    'a wrong password',
    'Correct the user name and the password',
    (redis) => attempt(withCredentials(redis, `:${PASSWORD}x`)),
    WITH_PASSWORD,
  ),
  onServer('a password that nobody asked for', 'Remove the password from the URL', (redis) =>
    attempt(withCredentials(redis, `:${PASSWORD}`)),
  ),
  onServer('a database that does not exist', 'Correct the number of the database', ({ url }) =>
    attempt(`${url}/99`),
  ),
  onServer('a user without rights', 'Allow the user to access the keys', async (redis) => {
    await redis.command('ACL', 'SETUSER', 'guest', 'on', `>${PASSWORD}`, '~other:*', '+@all')
    await attempt(withCredentials(redis, `guest:${PASSWORD}`))
  }),
  onServer('a replica', 'Use the address of its primary', async (redis) => {
    await redis.command('REPLICAOF', '127.0.0.1', '1')
    await attempt(redis.url)
  }),
  onServer('full memory', 'Raise `maxmemory`', async (redis) => {
    await redis.command('CONFIG', 'SET', 'maxmemory', '1')
    await attempt(redis.url)
  }),
  onServer('keys of another program', 'Choose another prefix', async (redis) => {
    await redis.command('SET', '{tasksim}:meta', 'x')
    await attempt(redis.url)
  }),
  onServer('rows of a later version', 'Install the latest version', async (redis) => {
    await redis.command('HSET', '{tasksim}:meta', 'version', '7')
    await attempt(redis.url)
  }),
  onServer('TLS that Redis does not use', 'use redis://', ({ url }) =>
    attempt(url.replace('redis:', 'rediss:')),
  ),
  {
    title: 'redis: a ledger works with TLS and a password, and errors name the remedy without them',
    run: async () => {
      const { certificate, options } = createCertificate()
      await withRedis(
        async (redis) => {
          const url = `rediss://:${PASSWORD}@127.0.0.1:${redis.tlsPort}/0?prefix=secure`
          await expectRefusal('NODE_EXTRA_CA_CERTS', () => attempt(url))
          await expectRefusal('use rediss://', () => attempt(url.replace('rediss:', 'redis:')))
          const leader = await LedgerProcess.start(url, { NODE_EXTRA_CA_CERTS: certificate })
          expectEqual('the commit', await leader.commit(1), { isLeading: true, isStored: true })
          await leader.end()
        },
        ...WITH_PASSWORD,
        ...options,
      )
    },
  },
]

function withCredentials({ url }: RedisServer, credentials: string): string {
  return url.replace('//', `//${credentials}@`)
}

/** Opens, leads and commits. */
async function attempt(url: string): Promise<void> {
  const ledger = await openRedisLedger(url)
  try {
    await ledger.commit(await leadOf(ledger), [task(1, {})])
  } finally {
    await ledger.close()
  }
}

function onServer(
  fault: string,
  remedy: string,
  run: (redis: RedisServer) => Promise<void>,
  options: readonly string[] = [],
): Check {
  return refusal(fault, remedy, () => withRedis(run, ...options))
}

function refusal(fault: string, remedy: string, run: () => Promise<void>): Check {
  return {
    title: `redis: the error of ${fault} names the remedy, and no secret`,
    run: () => expectRefusal(remedy, run),
  }
}

async function expectRefusal(remedy: string, run: () => Promise<void>): Promise<void> {
  const error = await run().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expectThat(error instanceof LedgerError, `Expected a LedgerError, got: ${error}`)
  expectThat(error.message.includes(remedy), `Expected ${JSON.stringify(remedy)} in: ${error.message}`)
  expectThat(!error.message.includes(PASSWORD), `Expected no password in: ${error.message}`)
}
