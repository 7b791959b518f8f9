import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Simulator } from '../../src/index.js'
import { type Attached, attach } from '../../src/ledger/attach.js'
import type { Row } from '../../src/ledger/ledger.js'
import { LedgerError } from '../../src/ledger/ledger-error.js'
import { SavedState } from '../../src/ledger/saved-state.js'
import { openSqliteLedger } from '../../src/ledger/sqlite/open-sqlite-ledger.js'
import { readStateFile } from '../../src/ledger/state-file.js'
import { folderWith } from '../cli/run.js'
import { runs } from '../support/deep.js'
import { describeSqlite } from '../support/has-sqlite.js'
import { type RichState, richStates, simulatorFor } from './rich-states.js'
import { useForADay } from './use-state.js'

/** SQL values that no ledger has written, for any column. */
const LITERALS = [
  ...['NULL', '0', '-1', '1.5', '1e308', '9e999', '9223372036854775807', '-9223372036854775808'],
  ...[
    "''",
    "'x'",
    'char(0)',
    "'a' || char(0) || 'b'",
    'char(55296)',
    "x''",
    "x'00'",
    "x'ff00fe'",
    'zeroblob(100000)',
  ],
  ...[
    "'null'",
    "'[]'",
    "'{}'",
    "'1e999'",
    '\'"x"\'',
    "'[[[[[[[[]]]]]]]]'",
    `'{"__proto__":{"a":1}}'`,
    "'__proto__'",
  ],
  ...["replace(hex(zeroblob(20000)), '0', '[')", "char(8232) || '{}'", "'{} '", "'{},{}'"],
] as const
/** SQL values made from the value of a column. */
const CHANGES = [
  ...['substr(COLUMN, 1, length(COLUMN) / 2)', 'substr(COLUMN, 2)', "COLUMN || 'x'", 'COLUMN || COLUMN'],
  ...[
    'COLUMN || char(0)',
    "replace(COLUMN, '{', '[')",
    "replace(COLUMN, '1', '-1')",
    "replace(COLUMN, 'a', char(0))",
  ],
  ...[
    'CAST(COLUMN AS BLOB)',
    'CAST(COLUMN AS INTEGER)',
    'replace(COLUMN, \'":\', \'":1e300, "x":\')',
    'upper(COLUMN)',
  ],
] as const
/** Changes of the whole file. */
const STRUCTURE = [
  ...['DROP TABLE entry', 'DROP TABLE leadership', 'DELETE FROM leadership', 'DELETE FROM entry'],
  ...['ALTER TABLE entry RENAME COLUMN json TO text', 'ALTER TABLE entry DROP COLUMN bytes'],
  ...['ALTER TABLE entry ADD COLUMN more', 'ALTER TABLE leadership RENAME COLUMN epoch TO era'],
  ...[
    "UPDATE leadership SET epoch = 'x'",
    'UPDATE leadership SET epoch = 9e15',
    'UPDATE leadership SET epoch = NULL',
  ],
  ...[
    'PRAGMA user_version = 0',
    'PRAGMA user_version = 99',
    'PRAGMA user_version = -1',
    'PRAGMA application_id = 5',
  ],
  ...['CREATE TABLE entry2 AS SELECT * FROM entry; DROP TABLE entry; ALTER TABLE entry2 RENAME TO entry'],
  ...["CREATE TRIGGER t BEFORE INSERT ON entry BEGIN SELECT RAISE(ABORT, 'no'); END"],
  ...['CREATE VIEW v AS SELECT * FROM entry'],
] as const

const COLUMNS = ['json', 'json', 'json', 'json', 'bytes', 'bytes', 'seq', 'kind', 'space'] as const
const statement = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .record({
        column: fc.constantFrom(...COLUMNS),
        value: fc.constantFrom(...LITERALS, ...CHANGES),
        row: fc.nat(),
      })
      .map(({ column, value, row }) => ({ column, row, sql: value.replaceAll('COLUMN', column) })),
  },
  { weight: 1, arbitrary: fc.constantFrom(...STRUCTURE).map((sql) => ({ column: undefined, row: 0, sql })) },
)

describeSqlite('a ledger in SQLite that another program has changed', () => {
  it('is rejected with the row or the remedy, or its state can be used', async () => {
    const { DatabaseSync } = await import('node:sqlite')
    const folder = folderWith()
    const states = await richStates()
    for (const [index, { text }] of states.entries()) {
      const ledger = await openSqliteLedger(join(folder, `${index}.db`))
      const epoch = (await ledger.lead()) ?? 0
      await ledger.commit(epoch, [...readStateFile(text)] as Row[])
      await ledger.close()
    }
    let copies = 0
    await fc.assert(
      fc.asyncProperty(fc.nat(2), fc.array(statement, { minLength: 1, maxLength: 2 }), async (index, all) => {
        const path = join(folder, `copy-${copies++}.db`)
        copyFileSync(join(folder, `${index}.db`), path)
        const database = new DatabaseSync(path)
        for (const each of all) damage(database, each)
        database.close()
        const sim = simulatorFor(states[index] as RichState)
        const error = await openAndUse(sim, path)
        sim.close()
        if (error === undefined) return
        expect(error).toBeInstanceOf(LedgerError)
        expect((error as Error).message).toMatch(/\. (?:[A-Z])/)
        expect((error as Error).message.length).toBeLessThan(2_000)
      }),
      { numRuns: runs(6, 200), seed: 6 },
    )
  })
})

/** Changes a column of a row, of each kind of rows as likely, or the whole file. */
function damage(
  database: { exec(sql: string): void },
  { column, row, sql }: { column: string | undefined; row: number; sql: string },
): void {
  const kind = `(SELECT kind FROM entry GROUP BY kind ORDER BY kind LIMIT 1 OFFSET ${row} % max(1, (SELECT count(DISTINCT kind) FROM entry)))`
  const place = `(space, kind, seq) = (SELECT space, kind, seq FROM entry WHERE kind = ${kind} ORDER BY seq LIMIT 1 OFFSET ${Math.floor(row / 50) % 3})`
  try {
    database.exec(column === undefined ? sql : `UPDATE entry SET ${column} = ${sql} WHERE ${place}`)
  } catch {
    // SQLite itself allows no such row.
  }
}

/** Does what a server does at its start, and uses its state. @returns the error with which it does not start */
async function openAndUse(sim: Simulator, path: string): Promise<unknown> {
  const ledger = await openSqliteLedger(path)
  let attached: Attached
  try {
    const epoch = await ledger.lead()
    if (epoch === undefined) throw new Error('The file is in use')
    const saved = await SavedState.read(ledger.load())
    const led = { ledger, epoch, shown: path, isTakeover: false, saved }
    attached = await attach(sim, led, { onDeposed: () => {} })
  } catch (error) {
    await ledger.close()
    return error
  }
  await useForADay(sim)
  await attached.close()
  return undefined
}
