import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Row } from '../../src/ledger/ledger.js'
import { readStateFile, stateLines } from '../../src/ledger/state-file.js'

const written = (rows: readonly Row[]): string => [...stateLines(rows)].join('')

const aRow: fc.Arbitrary<Row> = fc.record(
  {
    space: fc.constantFrom('', 'sbx_1'),
    kind: fc.constantFrom('task', 'delivery'),
    seq: fc.maxSafeNat(),
    json: fc.json(),
    bytes: fc.uint8Array({ maxLength: 20_000 }).map((bytes) => Uint8Array.from(bytes)),
  },
  { requiredKeys: ['space', 'kind', 'seq', 'json'] },
)

it('the reader of state files reads every row as it was written, with the number of its line', () => {
  fc.assert(
    fc.property(fc.array(aRow, { maxLength: 5 }), (rows) => {
      const expected = rows.map((row, index) => ({
        ...row,
        json: JSON.stringify(JSON.parse(row.json ?? '')),
        line: index + 2,
      }))
      expect(readStateFile(written(rows))).toEqual(expected)
    }),
  )
})

it('the reader of state files leaves deleted rows out', () => {
  const text = written([{ space: '', kind: 'task', seq: 1, json: undefined }])
  expect(text).toBe('{"tasksim":"state","version":2}\n{"rows":0}\n')
})

const ROW = '{"kind":"task","seq":1,"value":{}}'
const HEADER = '{"tasksim":"state","version":2}'

it.each([
  ['an empty file', '', 'Line 1 of the state is not the header of a state file.'],
  ['another file', '{"tasksim":"recording","version":1}\n', 'Line 1 of the state is not the header'],
  [
    'a later version',
    '{"tasksim":"state","version":3}\n',
    'has version 3, but this tasksim reads version 2. Install the latest version',
  ],
  ['a header alone', `${HEADER}\n`, 'Line 1 of the state is not its last line, {"rows":0}'],
  [
    'a file without its end',
    `${HEADER}\n${ROW}\n${ROW}\n`,
    'Line 3 of the state is not its last line, {"rows":1}',
  ],
  ['a file without a row', `${HEADER}\n${ROW}\n{"rows":2}\n`, 'Line 3 of the state is not its last line'],
  [
    'no JSON',
    `${HEADER}\n${ROW}\n{"kind"\n{"rows":2}\n`,
    'Line 3 of the state is not a row: it is not a JSON object.',
  ],
  [
    'no kind',
    `${HEADER}\n{"seq":1,"value":{}}\n{"rows":1}\n`,
    'Line 2 of the state is not a row: `kind` is not a non-empty string.',
  ],
  [
    'no number',
    `${HEADER}\n{"kind":"task","seq":-1,"value":{}}\n{"rows":1}\n`,
    '`seq` is not a whole number',
  ],
  [
    'no value',
    `${HEADER}\n{"kind":"task","seq":1}\n{"rows":1}\n`,
    'Line 2 of the state is not a row: `value` is missing.',
  ],
  [
    'no space',
    `${HEADER}\n{"space":1,"kind":"task","seq":1,"value":1}\n{"rows":1}\n`,
    '`space` is not a string',
  ],
  [
    'an unknown field',
    `${HEADER}\n{"kind":"task","seq":1,"value":1,"byte":"AAAA"}\n{"rows":1}\n`,
    'Line 2 of the state is not a row: `byte` is an unknown field.',
  ],
  [
    'more levels than can be written',
    `${HEADER}\n{"kind":"task","seq":1,"value":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n{"rows":1}\n`,
    'Line 2 of the state is not a row: it has more than 1,000 levels of objects and lists.',
  ],
  [
    'a version of many levels',
    `{"tasksim":"state","version":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`,
    'has version [[[',
  ],
  [
    'no Base64',
    `${HEADER}\n{"kind":"a","seq":1,"value":1,"bytes":"?"}\n{"rows":1}\n`,
    '`bytes` is not Base64',
  ],
])('the reader of state files rejects %s, with the line', (_, text, message) => {
  expect(() => readStateFile(text)).toThrow(message)
})
