import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Ledger, Row } from '../../src/ledger/ledger.js'
import { LedgerError } from '../../src/ledger/ledger-error.js'
import { openSqliteLedger } from '../../src/ledger/sqlite/open-sqlite-ledger.js'
import { sqliteError } from '../../src/ledger/sqlite/sqlite-error.js'
import { SqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.js'
import { folderWith } from '../cli/run.js'
import { describeSqlite, hasSqlite } from '../support/has-sqlite.js'

const row = (seq: number, json: string | undefined = '{}', kind = 'task', space = ''): Row => ({
  space,
  kind,
  seq,
  json,
})

/** Opens and leads a ledger; the end of the test closes it. */
async function led(path: string): Promise<{ ledger: Ledger; epoch: number }> {
  const ledger = await openSqliteLedger(path)
  const epoch = await ledger.lead()
  if (epoch === undefined) throw new Error(`${path} is in use`)
  return { ledger, epoch }
}

async function rowsOf(ledger: Ledger): Promise<Row[]> {
  const rows: Row[] = []
  for await (const batch of ledger.load()) rows.push(...batch)
  return rows
}

/** Closes a ledger and opens its file again. */
async function reopened(ledger: Ledger, path: string) {
  await ledger.close()
  return led(path)
}

const aRow = fc.record(
  {
    space: fc.constantFrom('', 'sbx_1', 'sbx_2'),
    kind: fc.constantFrom('task', 'delivery'),
    seq: fc.oneof(fc.nat(5), fc.constant(Number.MAX_SAFE_INTEGER)),
    json: fc.option(fc.json({ maxDepth: 1 }), { nil: undefined }),
    bytes: fc.uint8Array({ maxLength: 4 }),
  },
  { requiredKeys: ['space', 'kind', 'seq', 'json'] },
)

describeSqlite('a ledger in SQLite', () => {
  const fileIn = (folder = folderWith()) => join(folder, 'state.db')

  it('has the last row of each number, in order, after any commits and restarts', async () => {
    const folder = folderWith()
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(aRow, { maxLength: 6 }), { maxLength: 6 }), async (commits) => {
        const path = join(folder, `${run++}.db`)
        let { ledger, epoch } = await led(path)
        const expected = new Map<string, Row>()
        for (const rows of commits) {
          expect(ledger.commit(epoch, rows as Row[])).toBe(true)
          for (const each of rows as Row[]) {
            const key = JSON.stringify([each.space, each.kind, each.seq])
            if (each.json === undefined) expected.delete(key)
            else expected.set(key, each)
          }
          ;({ ledger, epoch } = await reopened(ledger, path))
        }
        expect(await rowsOf(ledger)).toEqual([...expected.values()].sort(compare))
        await ledger.close()
      }),
    )
  })

  it('gives each lead a larger epoch, and refuses a commit of an earlier one', async () => {
    const path = fileIn()
    const first = await led(path)
    const { ledger, epoch } = await reopened(first.ledger, path)
    expect(epoch).toBeGreaterThan(first.epoch)
    expect(first.ledger.isLeading(first.epoch)).toBe(false)
    expect(first.ledger.commit(first.epoch, [row(1)])).toBe(false)
    expect(ledger.commit(first.epoch, [row(1)])).toBe(false)
    expect(await rowsOf(ledger)).toEqual([])
    await ledger.close()
  })

  it('is led by one process until that is killed, which loses no commit', async () => {
    const path = fileIn()
    const holder = spawn(process.execPath, ['--no-warnings', '--import', 'tsx', HOLDER, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(holder.stdout, 'data')
    const second = await openSqliteLedger(path)
    expect(second.lead()).toBeUndefined()
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    expect(second.lead()).toBeDefined()
    expect(await rowsOf(second)).toEqual([row(7, '{"from":"the holder"}')])
    await second.close()
  })

  it('stays led in its process while another ledger tries to lead the same file', async () => {
    const path = fileIn()
    const first = await led(path)
    const second = await openSqliteLedger(path)
    expect(second.lead()).toBeUndefined()
    await second.close()
    expect((await openSqliteLedger(path)).lead()).toBeUndefined()
    await first.ledger.close()
    expect(second.lead()).toBeDefined()
    await second.close()
  })

  it('is a file that only its user can read, and so is its log', async () => {
    const path = fileIn()
    const { ledger, epoch } = await led(path)
    ledger.commit(epoch, [row(1)])
    for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o777, file).toBe(0o600)
    await ledger.close()
    expect(existsSync(`${path}-wal`)).toBe(false)
  })

  it('has a log whose size does not grow with the number of commits', async () => {
    const path = fileIn()
    const { ledger, epoch } = await led(path)
    const json = JSON.stringify('x'.repeat(4_000))
    for (let seq = 0; seq < 5_000; seq++) ledger.commit(epoch, [row(seq % 10, json)])
    expect(statSync(`${path}-wal`).size).toBeLessThan(8 * 1024 * 1024)
    await ledger.close()
  })

  it('fails a commit as a whole while the disk is full, and stores the next one', async () => {
    const path = fileIn()
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(path)
    const ledger = new SqliteLedger(path, 'normal', () => database)
    const epoch = ledger.lead() ?? 0
    database.exec('PRAGMA max_page_count = 20')
    const large = row(2, JSON.stringify('x'.repeat(200_000)))
    expect(() => ledger.commit(epoch, [row(1), large])).toThrow(/full\. Free space on its disk\./)
    expect(await rowsOf(ledger)).toEqual([])
    expect(ledger.isLeading(epoch)).toBe(true)
    database.exec('PRAGMA max_page_count = 1000')
    expect(ledger.commit(epoch, [row(1), large])).toBe(true)
    expect(await rowsOf(ledger)).toEqual([row(1), large])
    ledger.close()
  })

  it('rejects a file that it cannot use, with the reason and a remedy', async () => {
    const folder = folderWith({ 'notes.txt': 'milk, bread, '.repeat(100) })
    const { DatabaseSync } = await import('node:sqlite')
    const other = new DatabaseSync(join(folder, 'other.db'))
    other.exec('CREATE TABLE milk (bread)')
    other.close()
    for (const [name, version] of Object.entries({ 'later.db': 99, 'earlier.db': 1 })) {
      const { ledger } = await led(join(folder, name))
      await ledger.close()
      const changed = new DatabaseSync(join(folder, name))
      changed.exec(`PRAGMA user_version = ${version}`)
      changed.close()
    }
    mkdirSync(join(folder, 'folder.db'))
    const cases: Record<string, RegExp> = {
      'notes.txt': /Cannot open .*notes\.txt: file is not a database\. The file is not a SQLite database/,
      'other.db': /other\.db is a database of another program\. Give another path\.$/,
      'later.db':
        /later\.db has version 99, but .* version 2\. Install the latest version: npm install tasksim@latest$/,
      'earlier.db':
        /earlier\.db has version 1, .* An earlier tasksim wrote it\. Continue with .*, or delete the file\.$/,
      'folder.db': /Cannot open .*folder\.db: unable to open .* Check that its folder exists/,
      'none/state.db': /Cannot open .*state\.db: ENOENT.* Check that its folder exists/,
    }
    for (const [name, message] of Object.entries(cases)) {
      const ledger = await openSqliteLedger(join(folder, name))
      expect(() => ledger.lead(), name).toThrow(LedgerError)
      expect(() => ledger.lead(), name).toThrow(message)
    }
  })

  it.each([
    ["kind = x'00ff00'", 'kind'],
    ["space = x'00ff00'", 'space'],
    // Some versions of Node cut off the text, so that both columns may be wrong.
    ['space = char(0)', '(?:kind|space)'],
    ["seq = 'x'", 'seq'],
    ['seq = 1e300', 'seq'],
  ])('says that a file is damaged when another program has set %s', async (change, column) => {
    const path = join(folderWith({}), 'state.db')
    const { ledger, epoch } = await led(path)
    ledger.commit(epoch, [row(1), row(2, '{}', 'delivery')])
    await ledger.close()
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(path)
    database.exec(`UPDATE entry SET ${change} WHERE kind = 'task'`)
    database.close()
    const { ledger: changed } = await led(path)
    await expect(rowsOf(changed)).rejects.toThrow(
      new RegExp(`the column ${column} of a row .* The file is damaged\\. Move it`),
    )
    await changed.close()
  })

  it('says that a file is damaged when its rows cannot be read', async () => {
    const path = fileIn()
    const { ledger, epoch } = await led(path)
    for (let seq = 0; seq < 100; seq++) ledger.commit(epoch, [row(seq, JSON.stringify('x'.repeat(500)))])
    await ledger.close()
    const size = statSync(path).size
    writeFileSync(path, Buffer.alloc(size - 4096, 0xff), { flag: 'r+' })
    const damaged = await openSqliteLedger(path)
    await expect(async () => {
      damaged.lead()
      await rowsOf(damaged)
    }).rejects.toThrow(/The file/)
    await damaged.close()
  })
})

it.skipIf(hasSqlite)('the ledger in SQLite names the versions of Node that have SQLite', async () => {
  await expect(openSqliteLedger('state.db')).rejects.toThrow(
    `A ledger in a file needs Node 22.13 or later; this is Node ${process.versions.node}. To use state.db, install a later version of Node.`,
  )
})

it('the ledger in SQLite explains each error of SQLite and the file system', () => {
  const message = (errcode: number) =>
    sqliteError('write to', '/tmp/state.db', Object.assign(new Error('reason'), { errcode })).message
  expect(message(8)).toBe(
    'Cannot write to the ledger /tmp/state.db: reason. Make the file and its folder writable for this user.',
  )
  // SQLITE_IOERR_WRITE: an extended code.
  expect(message(778)).toMatch(/reason\. Check the disk for errors\.$/)
  // SQLITE_IOERR_LOCK: a file that this user may only read cannot be locked.
  expect(message(3850)).toMatch(
    /reason\. Check that this user may write the file, and that it is on a local disk\.$/,
  )
  expect(message(11)).toMatch(/damaged/)
})

const HOLDER = new URL('./sqlite-holder.ts', import.meta.url).pathname

function compare(one: Row, other: Row): number {
  const key = ({ space, kind, seq }: Row) => `${space} ${kind} ${String(seq).padStart(20, '0')}`
  return key(one) < key(other) ? -1 : 1
}
