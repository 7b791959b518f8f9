import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { launch } from '../../support/processes.js'
import type { Figure } from '../figure.js'

const ROUNDS = 3
const TESTS = 1_000
const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const CONFIG = fileURLToPath(new URL('vitest.config.ts', import.meta.url))
const SUITE = fileURLToPath(new URL('suite.ts', import.meta.url))
const VITEST = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url))

const VARIANTS = ['handler', 'fixture', 'simulators'] as const

/** Measures the CPU time that a simulator for each test adds to a suite whose tests create a task each. */
export async function vitest(): Promise<Figure[]> {
  const rounds: number[][] = []
  const imports: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const costs: number[] = []
    for (const variant of VARIANTS) {
      const { cost, importCpu } = await run(variant)
      costs.push(cost)
      imports.push(importCpu)
    }
    rounds.push(costs)
  }
  const [handler = Number.NaN, fixture = Number.NaN, simulators = Number.NaN] = VARIANTS.map((_, place) =>
    Math.min(...rounds.map((costs) => costs[place] ?? Number.NaN)),
  )
  return [
    {
      name: 'vitest: a test with tasksim/vitest, minus one with a handwritten handler',
      unit: 'us',
      value: fixture - handler,
      target: { below: 2_000 },
    },
    {
      name: 'vitest: a test with createSimulator, minus one with a handwritten handler',
      unit: 'us',
      value: simulators - handler,
      target: { below: 2_000 },
    },
    { name: 'vitest: a test with a handwritten handler', unit: 'us', value: handler },
    {
      name: 'vitest: import of tasksim/vitest',
      unit: 'ms',
      value: Math.min(...imports),
      target: { below: 150 },
    },
  ]
}

/** The CPU times in milliseconds that `suite.ts` reports. */
interface Meta {
  readonly cpu: number
  readonly importCpu: number
}

interface Report {
  readonly numPassedTests: number
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly meta: Meta }[]
  }[]
}

/** @returns microseconds of CPU for each test, without the imports; and milliseconds of CPU for the import of the fixture */
async function run(variant: string): Promise<{ readonly cost: number; readonly importCpu: number }> {
  const child = launch(process.execPath, [VITEST, 'run', '--root', FOLDER, '--config', CONFIG, SUITE], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, BENCH_VARIANT: variant },
  })
  const [output] = await Promise.all([text(child.stdout as Readable), once(child, 'exit')])
  const { numPassedTests, testResults } = JSON.parse(output) as Report
  if (numPassedTests !== TESTS) throw new Error(`Expected ${TESTS} passed tests, got ${numPassedTests}.`)
  const metas = testResults[0]?.assertionResults.map(({ meta }) => meta) ?? []
  const times = metas.map(({ cpu }) => cpu)
  return {
    cost: ((Math.max(...times) - Math.min(...times)) * 1_000) / (TESTS - 1),
    importCpu: metas[0]?.importCpu ?? Number.NaN,
  }
}
