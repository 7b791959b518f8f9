import { type Check, eventually, expectEqual, expectThat } from '../../support/check.js'
import { LedgerProcess } from './ledger-process.js'
import { leadOf, rowsOf, task, withLedgers } from './ledgers.js'

/** Who leads a ledger in Redis. */
export const redisLead: readonly Check[] = [
  {
    title: 'redis: of ten candidates at once, one gets the lease',
    run: () =>
      withLedgers(async (open) => {
        const candidates = await Promise.all(Array.from({ length: 10 }, () => open()))
        const epochs = await Promise.all(candidates.map((ledger) => ledger.lead()))
        expectEqual('the count of leaders', epochs.filter((epoch) => epoch !== undefined).length, 1)
      }),
  },
  {
    title: 'redis: a leader renews its lease, and gives it up at once when it closes',
    run: (figure) =>
      withLedgers(async (open) => {
        const [leader, standby] = [await open(), await open()]
        const epoch = await leadOf(leader)
        const until = performance.now() + 4_000
        await eventually('4 s pass', async () => {
          expectThat(leader.isLeading(epoch), 'Expected that the leader stays certain')
          expectEqual('the epoch of the standby', await standby.lead(), undefined)
          return performance.now() > until
        })
        await leader.close()
        const begin = performance.now()
        const next = await leadOf(standby)
        figure(`next leader after ${Math.round(performance.now() - begin)} ms`)
        expectThat(next > epoch, 'Expected a larger epoch')
      }),
  },
  {
    title: 'redis: after kill -9 of the leader, a standby leads',
    run: (figure) =>
      withLedgers(async (open, { url }) => {
        const leader = await LedgerProcess.start(url)
        const standby = await open()
        expectEqual('the commit', await leader.commit(1), { isLeading: true, isStored: true })
        expectEqual('the epoch of the standby', await standby.lead(), undefined)
        await leader.end()
        const begin = performance.now()
        await eventually('the standby leads', async () => (await standby.lead()) !== undefined)
        figure(`after ${Math.round(performance.now() - begin)} ms`)
      }),
  },
  {
    title: 'redis: a leader that was suspended is not certain, and its commit is refused',
    run: () =>
      withLedgers(async (open, { url }) => {
        const leader = await LedgerProcess.start(url)
        const standby = await open()
        leader.suspend()
        await eventually('the standby leads', async () => (await standby.lead()) !== undefined)
        leader.resume()
        // The process answers both in one turn: no renewal can have come in between.
        expectEqual('the state of the old leader', await leader.commit(1), {
          isLeading: false,
          isStored: false,
        })
        expectEqual('the rows', await rowsOf(standby), [])
      }),
  },
  {
    title: 'redis: a leader that was suspended continues if nobody else has led',
    run: () =>
      withLedgers(async (open, { url }) => {
        const leader = await LedgerProcess.start(url)
        leader.suspend()
        await new Promise((resolve) => setTimeout(resolve, 2_500))
        leader.resume()
        expectEqual('the first commit', await leader.commit(1), { isLeading: false, isStored: true })
        expectEqual('the second commit', await leader.commit(2), { isLeading: true, isStored: true })
        await leader.end()
        expectEqual('the rows', await rowsOf(await open()), ['/task/1 1', '/task/2 2'])
      }),
  },
  {
    title: 'redis: commits of an old epoch are refused while another process leads',
    run: () =>
      withLedgers(async (open) => {
        const [old, next] = [await open(), await open()]
        const epoch = await leadOf(old)
        await old.commit(epoch, [task(1, 'old')])
        await old.close()
        const later = await leadOf(next)
        expectEqual('a commit with the old epoch', await next.commit(epoch, [task(1, 'late')]), false)
        expectEqual('a commit with the new epoch', await next.commit(later, [task(2, 'new')]), true)
        expectEqual('the rows', await rowsOf(next), ['/task/1 "old"', '/task/2 "new"'])
      }),
  },
]
