import type { Row } from '../ledger.js'
import { hashName } from './keys.js'
import type { Argument } from './redis-connection.js'

/** A part of a commit: hashes with fields to set and to delete. */
export type CommitPart = ReadonlyMap<string, HashChange>

interface HashChange {
  /** Fields, each followed by its value. */
  readonly set: Argument[]
  readonly deleted: string[]
}

// Old servers allow a million arguments in one command.
const MAX_ROWS = 100_000

/**
 * Groups rows by hash, in parts that are small enough for one command.
 * @param withBytes the names of hashes of bytes that may exist; names are added
 */
export function commitParts(rows: readonly Row[], withBytes: Set<string>, size = MAX_ROWS): CommitPart[] {
  const parts: CommitPart[] = []
  for (let at = 0; at === 0 || at < rows.length; at += size)
    parts.push(commitPart(rows.slice(at, at + size), withBytes))
  return parts
}

function commitPart(rows: readonly Row[], withBytes: Set<string>): CommitPart {
  // Only the last change of a row counts: the script sets all fields before it deletes any.
  const changes = new Map<string, Map<number, Argument | undefined>>()
  for (const { space, kind, seq, json, bytes } of rows) {
    change(changes, hashName('rows', space, kind), seq, json)
    const name = hashName('bytes', space, kind)
    if (bytes !== undefined) withBytes.add(name)
    // A new row without bytes replaces one with bytes.
    if (withBytes.has(name)) change(changes, name, seq, json === undefined ? undefined : bufferOf(bytes))
  }
  return new Map([...changes].map(([name, fields]) => [name, hashChange(fields)]))
}

function change(
  changes: Map<string, Map<number, Argument | undefined>>,
  name: string,
  seq: number,
  value: Argument | undefined,
): void {
  const fields = changes.get(name)
  if (fields === undefined) changes.set(name, new Map([[seq, value]]))
  else fields.set(seq, value)
}

function hashChange(fields: ReadonlyMap<number, Argument | undefined>): HashChange {
  const set: Argument[] = []
  const deleted: string[] = []
  for (const [seq, value] of fields) {
    if (value === undefined) deleted.push(String(seq))
    else set.push(String(seq), value)
  }
  return { set, deleted }
}

function bufferOf(bytes: Uint8Array | undefined): Buffer | undefined {
  return bytes && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** The arguments of a part, in the order that the script of a commit expects. */
export function argumentsOf(part: CommitPart): Argument[] {
  const all: Argument[] = []
  for (const [name, { set, deleted }] of part) {
    all.push(name, String(set.length))
    for (const each of set) all.push(each)
    all.push(String(deleted.length))
    for (const each of deleted) all.push(each)
  }
  return all
}
