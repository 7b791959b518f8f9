/** Leads a ledger, and commits a row for each number that the parent sends. Its argument is the URL. */
import { openRedisLedger } from '../../../src/ledger/redis/redis-ledger.js'
import type { CommitAnswer } from './ledger-process.js'
import { leadOf, task } from './ledgers.js'

const ledger = await openRedisLedger(process.argv[2] ?? '')
const epoch = await leadOf(ledger)

process.on('message', async (seq: number) => {
  const isLeading = ledger.isLeading(epoch)
  const answer: CommitAnswer = { isLeading, isStored: await ledger.commit(epoch, [task(seq, seq)]) }
  process.send?.(answer)
})
process.send?.('leads')
