/**
 * Runs tests on every supported Node and MSW version, in a fresh copy of the clone.
 * `npm run test:matrix` runs the tests that depend on Node or MSW; `npm run test:matrix -- whole` runs all tests.
 */
import { tidyUp } from '../package/workshop.js'
import { installMsw, makeCopy, type Outcome, runTests } from './copy.js'
import { installNode, type OtherNode } from './nodes.js'

/** Tests that involve MSW; those of dialects with the official clients of the services. */
const ON_MSW = ['test/http', 'test/hosts', 'test/vitest', 'test/dialects']
/** Also tests of files, and of starting and stopping a process. */
const SENSITIVE = [...ON_MSW, 'test/media', 'test/cli/serve']
/** Tests of ledgers in SQLite, which Node 20 lacks. */
const ON_SQLITE = ['test/ledger', 'test/cli/ledger', 'test/cli/state']

interface Cell {
  readonly node: string
  readonly msw: string
  readonly files: readonly string[]
}

/** Each Node and each MSW once, from the oldest to the newest supported version. MSW 3 needs Node 22. */
const CELLS: readonly Cell[] = [
  { msw: '2.12.0', node: '20.19.0', files: SENSITIVE },
  { msw: '2', node: '22', files: [...ON_MSW, ...ON_SQLITE] },
  { msw: '3', node: '24', files: [...SENSITIVE, ...ON_SQLITE] },
]

interface Row extends Outcome {
  readonly node: string
  readonly msw: string
  readonly seconds: number
}

const isWhole = process.argv.includes('whole')
const nodes = new Map<string, OtherNode>()

try {
  print('Making a copy of the clone ...')
  makeCopy()
  const rows = CELLS.map(fill)
  print(table(rows))
  for (const { node, msw, failed } of rows)
    for (const what of failed) print(`FAIL Node ${node}, MSW ${msw}: ${what}`)
  process.exitCode = rows.every(({ failed }) => failed.length === 0) ? 0 : 1
} finally {
  tidyUp()
}

function fill({ node: range, msw: mswRange, files }: Cell): Row {
  const begin = performance.now()
  const row = (node: string, msw: string, outcome: Outcome): Row => {
    const seconds = (performance.now() - begin) / 1_000
    const result =
      outcome.failed.length === 0 ? `${outcome.passed} passed` : `${outcome.failed.length} failed`
    print(`Node ${node}, MSW ${msw}: ${result}, ${seconds.toFixed(0)} s`)
    return { node, msw, seconds, ...outcome }
  }
  let node = range
  let msw = mswRange
  try {
    const other = nodes.get(range) ?? installNode(range)
    nodes.set(range, other)
    node = other.version
    msw = installMsw(mswRange)
    return row(node, msw, runTests(other, isWhole ? [] : files))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return row(node, msw, { passed: 0, failed: [`could not be installed or run: ${why}`] })
  }
}

function table(rows: readonly Row[]): string {
  const lines = [
    ['Node', 'MSW', 'passed', 'failed', 'seconds'],
    ...rows.map(({ node, msw, passed, failed, seconds }) => [
      node,
      msw,
      String(passed),
      String(failed.length),
      seconds.toFixed(0),
    ]),
  ]
  return `\n${lines
    .map((line) =>
      line
        .map((text) => text.padEnd(10))
        .join('')
        .trimEnd(),
    )
    .join('\n')}\n`
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
