import { parseArgs } from 'node:util'
import { harness } from '../support/runner.js'
import { requireDistribution } from '../support/server.js'
import { commands } from './commands/benchmark.js'
import { dialects } from './dialects/benchmark.js'
import { explore } from './explore/benchmark.js'
import type { Figure } from './figure.js'
import { files } from './files/benchmark.js'
import { growth } from './growth/benchmark.js'
import { hops } from './hops.js'
import { http } from './http/benchmark.js'
import { imports } from './imports.js'
import { lateness } from './lateness/benchmark.js'
import { learn } from './learn/benchmark.js'
import { ledger } from './ledger/benchmark.js'
import { lifecycles } from './lifecycles/benchmark.js'
import { list } from './list/benchmark.js'
import { memory } from './memory/benchmark.js'
import { month } from './month/benchmark.js'
import { msw } from './msw/benchmark.js'
import { record, table } from './report.js'
import { sandboxes } from './sandboxes/benchmark.js'
import { coldStart } from './start/benchmark.js'
import { vitest } from './vitest/benchmark.js'
import { webhooks } from './webhooks/benchmark.js'

/** Every benchmark, by its name on the command line. */
const BENCHMARKS: Readonly<Record<string, () => Promise<Figure[]>>> = {
  http,
  growth,
  memory,
  'cold-start': coldStart,
  commands,
  msw,
  import: imports,
  vitest,
  lifecycles,
  lateness,
  month,
  files,
  sandboxes,
  webhooks,
  list,
  dialects,
  hops,
  learn,
  ledger,
  explore,
}

/** All benchmarks together take about six minutes, and several times as long on a busy machine. The limit ends a run that hangs. */
const LONGEST_RUN = 1_800_000

// A missed target is reported and does not fail the run, because a busy machine may be the cause.
await harness('bench', LONGEST_RUN, async () => {
  const { values, positionals } = parseArgs({
    options: { json: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  requireDistribution()
  const names = positionals.length > 0 ? positionals : Object.keys(BENCHMARKS)
  const benchmarks = names.map((name) => [name, find(name)] as const)
  const figures: Figure[] = []
  for (const [name, run] of benchmarks) {
    process.stderr.write(`${name} ...\n`)
    figures.push(...(await run()))
  }
  process.stdout.write(values.json ? record(figures) : `\n${table(figures)}`)
  return undefined
})

function find(name: string): () => Promise<Figure[]> {
  const benchmark = Object.hasOwn(BENCHMARKS, name) ? BENCHMARKS[name] : undefined
  if (benchmark !== undefined) return benchmark
  throw new Error(`There is no benchmark ${name}. Choose from: ${Object.keys(BENCHMARKS).join(', ')}.`)
}
