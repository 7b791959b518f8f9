import { diffArrays } from 'diff'
import { bodyText } from './body-text.js'

/** A row of two texts side by side, in which one may have no line; or how many equal lines are left out. */
export type DiffRow =
  | { readonly kind: 'same' | 'differs'; readonly texts: readonly [string | undefined, string | undefined] }
  | { readonly kind: 'hidden'; readonly count: number }

/** Texts with more different lines are shown as completely different, because the search would block the page. */
const MOST_DIFFERENCES = 600
/** How many equal lines are shown before and after a difference. */
const CONTEXT = 2

/** Two values as rows, without the equal rows that are far from a difference. */
export function diffRows(before: unknown, after: unknown): DiffRow[] {
  const [old, fresh] = linesOf(before, after)
  const changes = diffArrays(old, fresh, { maxEditLength: MOST_DIFFERENCES }) ?? [
    { value: old, removed: true, added: false },
    { value: fresh, removed: false, added: true },
  ]
  const rows: DiffRow[] = []
  for (const [index, { value, removed, added }] of changes.entries()) {
    const previous = changes[index - 1]
    if (removed) rows.push(...differing(value, changes[index + 1]?.added ? changes[index + 1]?.value : []))
    else if (!added) rows.push(...equal(value, index === 0, index === changes.length - 1))
    else if (!previous?.removed) rows.push(...differing([], value))
  }
  return rows
}

function differing(old: readonly string[], fresh: readonly string[] = []): DiffRow[] {
  const length = Math.max(old.length, fresh.length)
  return Array.from({ length }, (_, index) => ({ kind: 'differs', texts: [old[index], fresh[index]] }))
}

/** Equal lines as rows: only the last ones at the start of the texts, and only the first ones at their end. */
function equal(lines: readonly string[], isStart: boolean, isEnd: boolean): DiffRow[] {
  const rows = lines.map((text): DiffRow => ({ kind: 'same', texts: [text, text] }))
  const from = isStart ? 0 : CONTEXT
  const count = rows.length - from - (isEnd ? 0 : CONTEXT)
  return count > 0 ? rows.toSpliced(from, count, { kind: 'hidden', count }) : rows
}

/** Texts keep the order of their fields, because it may be what differs; and their spaces, if nothing else does. */
function linesOf(before: unknown, after: unknown): [string[], string[]] {
  if (typeof before !== 'string' || typeof after !== 'string') return [jsonLines(before), jsonLines(after)]
  const pretty = [bodyText(before).text, bodyText(after).text] as const
  const [old, fresh] = pretty[0] === pretty[1] ? [before, after] : pretty
  return [old.split('\n'), fresh.split('\n')]
}

/** A fact about two things. */
export interface ComparedFact {
  readonly name: string
  readonly values: readonly [string, string]
  readonly differs: boolean
}

/** Compares facts about two things, in their order. @param facts read each fact, by name */
export function compareFacts<Thing>(
  facts: Readonly<Record<string, (thing: Thing) => string>>,
  first: Thing,
  second: Thing,
): ComparedFact[] {
  return Object.entries(facts).map(([name, read]) => compareFact(name, read(first), read(second)))
}

/** Compares one fact. */
function compareFact(name: string, first: string, second: string): ComparedFact {
  return { name, values: [first, second], differs: first !== second }
}

type Headers = Readonly<Record<string, string>>

/** The headers that differ, whatever the case of their names. */
export function differingHeaders(before: Headers = {}, after: Headers = {}): ComparedFact[] {
  const [old, fresh] = [lowerCased(before), lowerCased(after)]
  const names = [...new Set([...old.keys(), ...fresh.keys()])].sort()
  return names
    .map((name) => compareFact(name, valueIn(old, name), valueIn(fresh, name)))
    .filter(({ differs }) => differs)
}

function lowerCased(headers: Headers): Map<string, string> {
  return new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function valueIn(headers: ReadonlyMap<string, string>, name: string): string {
  return headers.get(name) === '' ? '(empty)' : (headers.get(name) ?? '–')
}

/** A JSON value as lines, with the keys of each object in alphabetical order, so that only values differ. */
function jsonLines(value: unknown): string[] {
  return value === undefined ? [] : JSON.stringify(sorted(value), null, 2).split('\n')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]))
}
