/** A process that leads the ledger of the file that its argument names, stores a row, and keeps running. */
import { openSqliteLedger } from '../../src/ledger/sqlite/open-sqlite-ledger.js'

const ledger = await openSqliteLedger(process.argv[2] ?? '')
const epoch = await ledger.lead()
await ledger.commit(epoch ?? 0, [{ space: '', kind: 'task', seq: 7, json: '{"from":"the holder"}' }])
process.stdout.write('leading\n')
setInterval(() => {}, 1_000)
