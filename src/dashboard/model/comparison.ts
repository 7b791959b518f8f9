import { prettyJson } from './format.js'

/** Lines of two texts: in both, only in the first, only in the second, or equal ones that are left out. */
export type DiffLine =
  | { readonly kind: 'same' | 'removed' | 'added'; readonly text: string }
  | { readonly kind: 'hidden'; readonly count: number }

/** Texts with more pairs of different lines are shown as completely different. */
const MAX_PAIRS = 4_000_000

/** The differences between two texts by line, from a longest common subsequence. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let [endA, endB] = [before.length, after.length]
  while (endA > start && endB > start && before[endA - 1] === after[endB - 1]) {
    endA -= 1
    endB -= 1
  }
  const same = (text: string): DiffLine => ({ kind: 'same', text })
  return [
    ...before.slice(0, start).map(same),
    ...diffMiddle(before.slice(start, endA), after.slice(start, endB)),
    ...before.slice(endA).map(same),
  ]
}

function diffMiddle(a: readonly string[], b: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text })
  const added = (text: string): DiffLine => ({ kind: 'added', text })
  if (a.length * b.length > MAX_PAIRS) return [...a.map(removed), ...b.map(added)]
  const width = b.length + 1
  // The length of the longest common subsequence of the rest after each pair of positions.
  const lengths = new Uint32Array((a.length + 1) * width)
  const lengthAt = (i: number, j: number) => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  for (let text = a[i]; text !== undefined; text = a[i]) {
    if (text === b[j]) {
      lines.push({ kind: 'same', text })
      i += 1
      j += 1
    } else if (j < b.length && lengthAt(i, j + 1) > lengthAt(i + 1, j)) {
      lines.push(added(b[j] ?? ''))
      j += 1
    } else {
      lines.push(removed(text))
      i += 1
    }
  }
  return [...lines, ...b.slice(j).map(added)]
}

/** Leaves out equal lines that are further from a difference than `context` lines. */
export function collapse(lines: readonly DiffLine[], context = 2): DiffLine[] {
  const shown = new Set<number>()
  for (const [index, { kind }] of lines.entries())
    if (kind !== 'same') for (let near = index - context; near <= index + context; near++) shown.add(near)
  const collapsed: DiffLine[] = []
  for (const [index, line] of lines.entries()) {
    const last = collapsed.at(-1)
    if (shown.has(index)) collapsed.push(line)
    else if (last?.kind === 'hidden')
      collapsed[collapsed.length - 1] = { kind: 'hidden', count: last.count + 1 }
    else collapsed.push({ kind: 'hidden', count: 1 })
  }
  return collapsed
}

/** A row of two texts side by side; undefined where one of them has no line. */
export type DiffRow =
  | { readonly kind: 'same' | 'differs'; readonly texts: readonly [string | undefined, string | undefined] }
  | Extract<DiffLine, { readonly kind: 'hidden' }>

/** Two values as rows, with equal rows left out that are far from a difference. */
export function diffRows(before: unknown, after: unknown): DiffRow[] {
  const rows: DiffRow[] = []
  let removed: string[] = []
  let added: string[] = []
  const flush = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index++)
      rows.push({ kind: 'differs', texts: [removed[index], added[index]] })
    removed = []
    added = []
  }
  for (const line of collapse(diffLines(...linesOf(before, after)))) {
    if (line.kind === 'removed') removed.push(line.text)
    else if (line.kind === 'added') added.push(line.text)
    else {
      flush()
      rows.push(line.kind === 'hidden' ? line : { kind: 'same', texts: [line.text, line.text] })
    }
  }
  flush()
  return rows
}

/** Texts keep the order of their fields, because it may be what differs; and their spaces, if nothing else does. */
function linesOf(before: unknown, after: unknown): [string[], string[]] {
  if (typeof before !== 'string' || typeof after !== 'string') return [jsonLines(before), jsonLines(after)]
  const pretty = [prettyJson(before), prettyJson(after)] as const
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
export function jsonLines(value: unknown): string[] {
  return value === undefined ? [] : JSON.stringify(sorted(value), null, 2).split('\n')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]))
}
