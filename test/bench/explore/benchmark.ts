import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { ExplorationReport } from '../../../src/explore/report.js'
import { ended, launch } from '../../support/processes.js'
import { CLI, Server } from '../../support/server.js'
import { bestOf, type Figure } from '../figure.js'

const ROUNDS = 3
const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const CONFIG = fileURLToPath(new URL('vitest.config.ts', import.meta.url))
const SUITE = fileURLToPath(new URL('suite.ts', import.meta.url))
const COMMAND = fileURLToPath(new URL('command.mjs', import.meta.url))
const VITEST = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url))
/** Rejections: the command sends one request, and ends, as without a deviation. */
const DEVIATIONS = '400,401,402,403,404,429,503'

/** Measures what a run of an exploration costs, in process and around a command. */
export async function explore(): Promise<Figure[]> {
  const [inProcess, time, cpu]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < ROUNDS; round++) {
    inProcess.push(await runsPerSecond())
    const added = await addedToCommand()
    time.push(added.time)
    cpu.push(added.cpu)
  }
  return [
    bestOf('explore: runs of ten requests per second of CPU, in process', 'runs/s', inProcess, {
      atLeast: 30,
    }),
    bestOf('explore: a run of a command, minus the command against a running server', 'ms', time, {
      atMost: 50,
    }),
    bestOf('explore: the same in CPU time, also of the client', 'ms', cpu, { atMost: 50 }),
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

/** Few and many runs: their difference does not contain the start of tasksim. */
const [FEW, MANY] = [1, 21]

/**
 * What a run under an exploration takes more than the same command against a server that runs already, in milliseconds:
 * the fastest one of real time, and all of CPU time.
 */
async function addedToCommand(): Promise<{ readonly time: number; readonly cpu: number }> {
  const few = await exploration(FEW)
  const many = await exploration(MANY)
  const server = await Server.start(['--speed', '20'])
  try {
    const env = { ...process.env, TASKSIM_URL: `${server.origin}/api/v1`, TASKSIM_API_KEY: 'sk_live_local' }
    const alone: number[] = []
    for (let run = FEW; run < MANY; run++) {
      const begin = performance.now()
      await ended(launch(process.execPath, [COMMAND], { stdio: 'ignore', env }))
      alone.push(performance.now() - begin)
    }
    const script = `for run in $(seq ${MANY - FEW}); do "$@"; done`
    const { cpu } = await timed(script, [process.execPath, COMMAND], env)
    return {
      time: Math.min(...many.times) - Math.min(...alone),
      cpu: (many.cpu - few.cpu - cpu) / (MANY - FEW),
    }
  } finally {
    await server.stop()
  }
}

/** Explores the command. @returns the real time of each run, and the CPU time of all, in milliseconds */
async function exploration(runs: number): Promise<{ readonly times: number[]; readonly cpu: number }> {
  const options = ['--deviations', DEVIATIONS, '--max-runs', String(runs), '--patience', '1m']
  const format = ['--format', 'json', '--fail-on', 'never']
  const command = ['explore', ...options, ...format, '--', process.execPath, COMMAND]
  const { output, cpu } = await timed('"$@"', [process.execPath, CLI, ...command], process.env)
  const { runs: reported } = JSON.parse(output) as ExplorationReport
  return { times: reported.map(({ ms }) => ms), cpu }
}

/** Runs a script of the shell. @returns its output, and the CPU time of all its processes in milliseconds */
async function timed(script: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const shell = ['-c', `${script}\ntimes >&2`, 'sh', ...args]
  const child = launch('sh', shell, { stdio: ['ignore', 'pipe', 'pipe'], env })
  const [output, errors] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    once(child, 'exit'),
  ])
  const spent = errors.trim().split('\n').at(-1) ?? ''
  const cpu = [...spent.matchAll(/(\d+)m([\d.]+)s/g)]
    .map(([, minutes, seconds]) => Number(minutes) * 60_000 + Number(seconds) * 1_000)
    .reduce((sum, each) => sum + each, 0)
  return { output, cpu }
}

async function outputOf(args: readonly string[]): Promise<string> {
  const child = launch(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await Promise.all([text(child.stdout as Readable), once(child, 'exit')])
  return output
}
