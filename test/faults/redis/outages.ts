import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Awaitable } from '../../../src/engine/awaitable.js'
import { type Check, eventually, expectEqual, expectThat, wait } from '../../support/check.js'
import { leadOf, rowsOf, task, withLedgers } from './ledgers.js'

/** What a ledger does while Redis is away. */
export const redisOutages: readonly Check[] = [
  {
    title: 'redis: a commit waits while Redis is suspended for three seconds',
    run: () =>
      withLedgers(async (open, redis) => {
        const ledger = await open()
        const epoch = await leadOf(ledger)
        redis.suspend()
        const commit = ledger.commit(epoch, [task(1, 'patient')])
        await wait(2_000)
        expectEqual('the lead', ledger.isLeading(epoch), false)
        await wait(1_000)
        redis.resume()
        expectEqual('the commit', await commit, true)
        await eventually('the leader is certain again', () => ledger.isLeading(epoch))
        expectEqual('the rows', await rowsOf(ledger), ['/task/1 "patient"'])
      }),
  },
  {
    title: 'redis: a commit fails after some seconds, and does not replace later rows when it arrives late',
    run: (figure) =>
      withLedgers(async (open, redis) => {
        const ledger = await open()
        const epoch = await leadOf(ledger)
        redis.suspend()
        const begin = performance.now()
        const error = await failureOf(ledger.commit(epoch, [task(1, 'early'), task(2, 'early')]))
        figure(`failed after ${Math.round(performance.now() - begin)} ms`)
        expectThat(error.includes('no answer in time'), `Expected "no answer in time", got: ${error}`)
        const again = ledger.commit(epoch, [task(1, 'late')])
        redis.resume()
        expectEqual('the second commit', await again, true)
        await wait(200)
        expectEqual('the rows', await rowsOf(ledger), ['/task/1 "late"', '/task/2 "early"'])
      }),
  },
  {
    title: 'redis: no confirmed row is lost when Redis is killed and restarted under load',
    run: (figure) =>
      withLedgers(async (open, redis) => {
        const ledger = await open()
        const epoch = await leadOf(ledger)
        const confirmed: string[] = []
        let isOver = false
        const load = (async () => {
          for (let seq = 1; !isOver; seq++) {
            const isStored = await ledger.commit(epoch, [task(seq, seq)])
            expectThat(isStored, `Commit ${seq} was refused`)
            confirmed.push(`/task/${seq} ${seq}`)
          }
        })()
        for (let round = 0; round < 3; round++) {
          await wait(500)
          await redis.kill()
          await wait(300)
          await redis.start()
          const before = confirmed.length
          await eventually('commits are stored again', () => confirmed.length > before)
        }
        isOver = true
        await load
        figure(`${confirmed.length} commits`)
        expectEqual('the rows', await rowsOf(ledger), confirmed)
        await eventually('the leader is certain again', () => ledger.isLeading(epoch))
      }),
  },
  {
    title: 'redis: a leader notices that Redis has lost all rows, and stores no part of them',
    run: () =>
      withLedgers(async (open, redis) => {
        const ledger = await open()
        const epoch = await leadOf(ledger)
        await ledger.commit(epoch, [task(1, 'lost')])
        await redis.kill()
        rmSync(join(redis.folder, 'appendonlydir'), { recursive: true })
        await redis.start()
        expectEqual('the commit', await ledger.commit(epoch, [task(2, 'new')]), false)
        const next = await open()
        const later = await leadOf(next)
        expectThat(later > epoch, `Expected an epoch above ${epoch}, got ${later}`)
        expectEqual('the rows', await rowsOf(next), [])
      }),
  },
  {
    title: 'redis: rows of the last seconds that a crash of Redis has lost are stored again',
    run: () =>
      withLedgers(
        async (open, redis, warnings) => {
          const ledger = await open()
          const epoch = await leadOf(ledger)
          await ledger.commit(epoch, [task(1, 'kept'), task(3, 'deleted')])
          await redis.command('SAVE')
          await ledger.commit(epoch, [task(2, 'recovered')])
          await ledger.commit(epoch, [task(3, undefined)])
          await redis.kill()
          await redis.start()
          expectEqual('the commit', await ledger.commit(epoch, [task(4, 'new')]), true)
          expectEqual('the rows', await rowsOf(ledger), [
            '/task/1 "kept"',
            '/task/2 "recovered"',
            '/task/4 "new"',
          ])
          expectThat(
            warnings.some((text) => text.includes('had lost its latest 2 commits')),
            `Expected a warning, got ${JSON.stringify(warnings)}`,
          )
        },
        '--appendonly',
        'no',
      ),
  },
  {
    title: 'redis: a leader ends when Redis has lost rows that it does not remember',
    run: () =>
      withLedgers(
        async (open, redis, warnings) => {
          const ledger = await open()
          const epoch = await leadOf(ledger)
          await ledger.commit(epoch, [task(1, 'kept')])
          await redis.command('SAVE')
          await ledger.commit(epoch, [task(2, 'lost')])
          await wait(6_000)
          await ledger.commit(epoch, [task(3, 'lost')])
          await redis.kill()
          await redis.start()
          expectEqual('the commit', await ledger.commit(epoch, [task(4, 'new')]), false)
          expectThat(
            warnings.some((text) => text.includes('has lost rows')),
            `Expected a warning, got ${JSON.stringify(warnings)}`,
          )
          const next = await open()
          await eventually('the next leader leads', async () => (await next.lead()) !== undefined)
          expectEqual('the rows', await rowsOf(next), ['/task/1 "kept"'])
        },
        '--appendonly',
        'no',
      ),
  },
]

async function failureOf(promise: Awaitable<unknown>): Promise<string> {
  try {
    await promise
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  throw new Error('Expected an error')
}
