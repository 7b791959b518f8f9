import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { ExplorationReport } from '../../../src/explore/report.js'
import { ended, launch } from '../../support/processes.js'
import { CLI } from '../../support/server.js'
import { bestOf, type Figure, median } from '../figure.js'

const ROUNDS = 3
const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const CONFIG = fileURLToPath(new URL('vitest.config.ts', import.meta.url))
const SUITE = fileURLToPath(new URL('suite.ts', import.meta.url))
const COMMAND = fileURLToPath(new URL('command.mjs', import.meta.url))
const VITEST = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url))
/** Rejections, so that a run of the command takes no longer than one without a deviation. */
const DEVIATIONS = ['400', '401', '402', '403', '404'].flatMap((word) => ['--deviations', word])

/** Measures what a run of an exploration costs, in process and around a command. */
export async function explore(): Promise<Figure[]> {
  const [inProcess, overHttp]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    inProcess.push(await runsPerSecond())
    overHttp.push(await addedToCommand())
  }
  return [
    bestOf('explore: runs of ten requests per second of CPU, in process', 'runs/s', inProcess, {
      atLeast: 30,
    }),
    bestOf('explore: a run of a command, minus the command alone', 'ms', overHttp, { atMost: 50 }),
  ]
}

interface SuiteReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly meta: { readonly cpu?: number; readonly exploration?: ExplorationReport }
    }[]
  }[]
}

async function runsPerSecond(): Promise<number> {
  const output = await outputOf([VITEST, 'run', '--root', FOLDER, '--config', CONFIG, SUITE])
  const { testResults } = JSON.parse(output) as SuiteReport
  const metas = testResults[0]?.assertionResults.map(({ meta }) => meta) ?? []
  const runs = metas.find(({ exploration }) => exploration !== undefined)?.exploration?.summary.runs
  const cpu = metas.find((meta) => meta.cpu !== undefined)?.cpu
  if (runs === undefined || cpu === undefined)
    throw new Error(`Expected an exploration, got ${output.slice(0, 500)}`)
  return runs / (cpu / 1_000)
}

async function addedToCommand(): Promise<number> {
  const args = ['explore', ...DEVIATIONS, '--format', 'json', '--fail-on', 'never']
  const { runs } = JSON.parse(
    await outputOf([CLI, ...args, '--', process.execPath, COMMAND]),
  ) as ExplorationReport
  const alone: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const begin = performance.now()
    await ended(launch(process.execPath, [COMMAND, 'alone'], { stdio: 'ignore' }))
    alone.push(performance.now() - begin)
  }
  return median(runs.map(({ ms }) => ms)) - median(alone)
}

async function outputOf(args: readonly string[]): Promise<string> {
  const child = launch(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await Promise.all([text(child.stdout as Readable), once(child, 'exit')])
  return output
}
