import type { DatabaseSync, SqlRow } from 'node:sqlite'
import { JoinedRows, LARGEST_JOINED, MOST_JOINED, SEPARATOR } from '../joined-rows.js'
import type { Row } from '../ledger.js'
import { SQLITE } from './sqlite-error.js'

const NEXT_KIND = `
  SELECT space, kind FROM entry WHERE (space, kind) > (?, ?) ORDER BY space, kind LIMIT 1`

/** The next rows of a kind, joined, the type of the last number (a text or bytes come after all numbers), and whether some of them must be read one by one: a content is large, or has bytes. */
const JOINED = `
  SELECT
    typeof(max(seq)) AS type,
    group_concat(seq) AS seqs,
    group_concat(json, '${SEPARATOR}') AS contents,
    count(json) < count(seq) OR count(bytes) > 0 AS has_large
  FROM (
    SELECT seq, CASE WHEN octet_length(json) <= ${LARGEST_JOINED} THEN json END AS json, bytes
    FROM entry WHERE space = ? AND kind = ? AND seq > ? ORDER BY seq LIMIT ${MOST_JOINED}
  )`

const ONE_BY_ONE = `
  SELECT * FROM entry WHERE space = ? AND kind = ? AND seq BETWEEN ? AND ? ORDER BY seq`

/** Reads all rows of a ledger in a file. */
export function* readRows(database: DatabaseSync): Generator<Iterable<Row>, void, undefined> {
  const nextKind = database.prepare(NEXT_KIND)
  const joined = database.prepare(JOINED)
  const oneByOne = database.prepare(ONE_BY_ONE)
  let [space, kind] = ['', '']
  for (;;) {
    const next = nextKind.get(space, kind)
    if (next === undefined) return
    const before = `${space}\n${kind}`
    space = textOf(next['space'], 'space')
    kind = textOf(next['kind'], 'kind')
    // Some versions of Node cut off a text at a zero, so the next row could be the same one for ever.
    if (`${space}\n${kind}` === before) throw damaged('kind', 'a text without zeros')
    for (let last: number = Number.MIN_SAFE_INTEGER; ; ) {
      const found = joined.get(space, kind, last)
      if (found?.['type'] === 'null') break
      const numbers = String(found?.['seqs'] ?? '')
        .split(',')
        .map(Number)
      if (found?.['type'] !== 'integer' || !areInOrder(numbers))
        throw damaged('seq', 'a whole number from 0 up')
      const [first = 0] = numbers
      last = numbers.at(-1) ?? 0
      if (found?.['has_large'] === 0)
        yield new JoinedRows({ space, kind }, numbers, String(found['contents']))
      else yield Array.from(oneByOne.iterate(space, kind, first, last), toRow)
    }
  }
}

function textOf(value: unknown, column: string): string {
  if (typeof value !== 'string') throw damaged(column, 'a text')
  if (value.includes('\0')) throw damaged(column, 'a text without zeros')
  return value
}

/** Whether numbers of rows are whole, and each is larger than the one before. */
function areInOrder(numbers: readonly number[]): boolean {
  return numbers.every((seq, index) => Number.isSafeInteger(seq) && seq > (numbers[index - 1] ?? -1))
}

/** The error of a row that another program has changed. */
function damaged(column: string, expected: string): Error {
  return Object.assign(new Error(`the column ${column} of a row has not ${expected}`), {
    errcode: SQLITE.corrupt,
  })
}

function toRow({ space, kind, seq, json, bytes }: SqlRow): Row {
  return {
    space: String(space),
    kind: String(kind),
    seq: Number(seq),
    json: String(json),
    bytes: bytes instanceof Uint8Array ? new Uint8Array(bytes) : undefined,
  }
}
