import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { launch } from '../support/processes.js'
import { compiled } from '../support/server.js'
import type { Figure, Target } from './figure.js'

const ROUNDS = 5
const TARGET: Target = { below: 150 }

/** An import of a test file. */
interface Import {
  readonly modules: readonly string[]
  /** The modules that a test file imports anyway. */
  readonly after?: readonly string[]
  readonly target?: Target
}

const MSW = ['msw', 'msw/node']
const IMPORTS: Readonly<Record<string, Import>> = {
  tasksim: { modules: [compiled('index.js')], target: TARGET },
  'tasksim and tasksim/msw, after msw': {
    modules: [compiled('index.js'), compiled('hosts/msw/in-node.js')],
    after: MSW,
    target: TARGET,
  },
  'msw and msw/node': { modules: MSW },
  express: { modules: ['express'] },
}

const SCRIPT = `
const [modules, after] = JSON.parse(process.argv[1])
for (const module of after) await import(module)
const begin = process.cpuUsage()
for (const module of modules) await import(module)
const { user, system } = process.cpuUsage(begin)
process.stdout.write(String((user + system) / 1_000))`

/** Measures the CPU time of each import in a new process. The lowest of several rounds counts. */
export async function imports(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, imported] of Object.entries(IMPORTS)) {
    const rounds: number[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await costOf(imported))
    const spread = [Math.min(...rounds), Math.max(...rounds)] as const
    const { target } = imported
    figures.push({ name: `import: ${name}`, unit: 'ms', value: spread[0], spread, ...(target && { target }) })
  }
  return figures
}

/** @returns milliseconds of CPU */
async function costOf({ modules, after = [] }: Import): Promise<number> {
  const args = ['--input-type=module', '-e', SCRIPT, JSON.stringify([modules, after])]
  const child = launch(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [code]] = await Promise.all([text(child.stdout as Readable), once(child, 'close')])
  if (code !== 0) throw new Error(`Failed to import ${modules.join(' and ')}.`)
  return Number(output)
}
