import fc from 'fast-check'

/** A mutation of a state file. */
export interface Mutation {
  /** Selects a row. */
  readonly row: number
  /** Selects a value in the row. */
  readonly value: number
  readonly change: Change
}

type Change =
  | { readonly do: 'replace'; readonly by: string }
  | { readonly do: 'remove' }
  | { readonly do: 'add'; readonly name: string }
  | { readonly do: 'copy'; readonly from: number }
  | { readonly do: 'delete row' | 'repeat row' }
  | { readonly do: 'shift'; readonly by: number }

/** What stands in place of a value: as JSON, because JavaScript writes some of it in another way. */
const HOSTILE = [
  ...['null', 'true', 'false', '0', '1', '-1', '1.5', '1e21', '-1e21', '1e300', '1e-300', '-0'],
  // The limits of whole numbers, of dates, of ISO 8601 and of 32 bits.
  ...['9007199254740991', '9007199254740992', '8640000000000001', '253402300800000', '253402300799999'],
  ...['-62135596800001', '-8640000000000001', '4294967296', '2147483648', '1000000'],
  ...[
    '""',
    '"x"',
    '"\\u0000"',
    '"a\\r\\nb: c"',
    '"\\ud800"',
    '"__proto__"',
    '"constructor"',
    '"toString"',
    '"é"',
  ],
  ...[
    '"succeeded"',
    '"processing"',
    '"queued"',
    '"canceled"',
    '"image"',
    '"llm"',
    '"luma"',
    '"tasks"',
    '"api"',
  ],
  ...['"http://169.254.169.254/"', '"http://["', '"file:///etc/passwd"', '"task_none"', '"dlv_00000001"'],
  ...['[]', '{}', '[null]', '[[]]', '["x"]', '[1,2]', '{"a":1}', '{"__proto__":{"a":1}}', '{"toString":1}'],
  JSON.stringify('9'.repeat(1_000)),
  JSON.stringify('a.b/'.repeat(5_000)),
]

const NAMES = ['__proto__', 'constructor', 'x', 'toJSON', 'then', 'size', 'type', 'job', 'number', 'erasedAt']

const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({ do: fc.constant('replace' as const), by: fc.constantFrom(...HOSTILE) }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'remove' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('add' as const), name: fc.constantFrom(...NAMES) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('copy' as const), from: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('delete row' as const, 'repeat row' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('shift' as const),
      by: fc.constantFrom(1, -1, 1_000, -1_000, 86_400_000, -86_400_000, 3e12, -3e12),
    }),
  },
)

/** One mutation, or two at once. */
export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.record({ row: fc.nat(), value: fc.nat(), change }),
  { minLength: 1, maxLength: 2 },
)

const MARK = '\u0001mark\u0001'

/** Applies mutations to a state file. The number of rows at its end stays right. */
export function mutated(text: string, all: readonly Mutation[]): string {
  const [header = '', ...rows] = text.trimEnd().split('\n').slice(0, -1)
  for (const mutation of all) apply(rows, mutation)
  return [header, ...rows, JSON.stringify({ rows: rows.length }), ''].join('\n')
}

function apply(rows: string[], { row, value, change }: Mutation): void {
  if (rows.length === 0) return
  const index = byKind(rows, row)
  const line = rows[index] ?? ''
  if (change.do === 'delete row') rows.splice(index, 1)
  else if (change.do === 'repeat row') rows.splice(index, 0, line)
  else rows[index] = withChange(line, value, change)
}

/** Every kind of rows is as likely as any other. */
function byKind(rows: readonly string[], choice: number): number {
  const kinds = new Map<string, number[]>()
  for (const [index, line] of rows.entries()) {
    const kind = /"kind":"([^"]*)"/.exec(line)?.[1] ?? ''
    kinds.set(kind, [...(kinds.get(kind) ?? []), index])
  }
  const all = [...kinds.values()]
  const chosen = all[choice % all.length] ?? []
  return chosen[Math.floor(choice / all.length) % chosen.length] ?? 0
}

type Place = { readonly holder: Record<PropertyKey, unknown>; readonly key: PropertyKey }

function withChange(line: string, choice: number, change: Change): string {
  const row = JSON.parse(line)
  const places = [...positionsIn(row)]
  const { holder, key } = places[choice % places.length] as Place
  switch (change.do) {
    case 'replace':
      holder[key] = MARK
      return JSON.stringify(row).replace(JSON.stringify(MARK), () => change.by)
    case 'remove':
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else delete holder[key]
      break
    case 'add':
      Object.defineProperty(Object(holder[key]) === holder[key] ? holder[key] : holder, change.name, {
        value: { a: 1 },
        enumerable: true,
        configurable: true,
        writable: true,
      })
      break
    case 'copy': {
      const other = places[change.from % places.length] as Place
      holder[key] = JSON.parse(JSON.stringify(other.holder[other.key]))
      break
    }
    case 'shift':
      if (typeof holder[key] === 'number') holder[key] = Number(holder[key]) + change.by
      break
  }
  return JSON.stringify(row)
}

/** Every value in a row. */
function* positionsIn(holder: Record<PropertyKey, unknown>): Iterable<Place> {
  for (const key of Object.keys(holder)) {
    yield { holder, key }
    const inner = holder[key]
    if (typeof inner === 'object' && inner !== null) yield* positionsIn(inner as Place['holder'])
  }
}
