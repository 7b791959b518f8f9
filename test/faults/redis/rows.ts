import { type Check, expectEqual, expectThat } from '../../support/check.js'
import { leadOf, rowsOf, task, withLedgers } from './ledgers.js'

/** What a ledger in Redis stores. */
export const redisRows: readonly Check[] = [
  {
    title: 'redis: the next leader reads the rows that were written last, in order',
    run: () =>
      withLedgers(async (open) => {
        const first = await open()
        const epoch = await leadOf(first)
        await first.commit(epoch, [task(10, 'ten'), task(9, 'nine'), task(2, 'two', 's_1')])
        await first.commit(epoch, [
          task(9, undefined),
          { ...task(3, {}), kind: 'upload', bytes: new Uint8Array([0, 255]) },
        ])
        await first.close()
        const second = await open()
        await leadOf(second)
        expectEqual('the rows', await rowsOf(second), [
          '/task/10 "ten"',
          '/upload/3 {} 0,255',
          's_1/task/2 "two"',
        ])
      }),
  },
  {
    title: 'redis: a row without bytes replaces one with bytes, also that of an earlier leader',
    run: () =>
      withLedgers(async (open) => {
        const upload = { ...task(3, {}), kind: 'upload' }
        const first = await open()
        await first.commit(await leadOf(first), [{ ...upload, bytes: new Uint8Array([1]) }])
        await first.close()
        const second = await open()
        await second.commit(await leadOf(second), [upload])
        expectEqual('the rows', await rowsOf(second), ['/upload/3 {}'])
      }),
  },
  {
    title: 'redis: 250,000 rows are stored and deleted in one commit each',
    run: (figure) =>
      withLedgers(async (open) => {
        const ledger = await open()
        const epoch = await leadOf(ledger)
        const rows = Array.from({ length: 250_000 }, (_, seq) => task(seq, { text: 'x'.repeat(100) }))
        const begin = performance.now()
        expectEqual('the commit', await ledger.commit(epoch, rows), true)
        const stored = performance.now()
        let count = 0
        for await (const batch of ledger.load())
          for (const { seq } of batch) expectThat(seq === count++, `Row ${seq} came out of order`)
        expectEqual('the count of rows', count, rows.length)
        figure(
          `stored in ${Math.round(stored - begin)} ms, read in ${Math.round(performance.now() - stored)} ms`,
        )
        await ledger.commit(
          epoch,
          rows.map((row) => ({ ...row, json: undefined })),
        )
        expectEqual('the rows', await rowsOf(ledger), [])
      }),
  },
  {
    title: 'redis: ledgers with different prefixes share a database',
    run: () =>
      withLedgers(async (open) => {
        const [one, other] = [await open('/1?prefix=one'), await open('/1?prefix=other')]
        await one.commit(await leadOf(one), [task(1, 'one')])
        await other.commit(await leadOf(other), [task(1, 'other')])
        expectEqual(
          'the rows',
          [await rowsOf(one), await rowsOf(other)],
          [['/task/1 "one"'], ['/task/1 "other"']],
        )
      }),
  },
  {
    title: 'redis: a sandbox that was deleted leaves no keys',
    run: () =>
      withLedgers(async (open, redis) => {
        const ledger = await open()
        const epoch = await leadOf(ledger)
        await ledger.commit(epoch, [task(1, 'x', 's_1')])
        await ledger.commit(epoch, [task(1, undefined, 's_1')])
        await ledger.close()
        expectEqual('the keys', await redis.command('KEYS', '*'), ['{tasksim}:meta'])
      }),
  },
]
