import { ended, launch } from '../../support/processes.js'
import { CLI } from '../../support/server.js'
import type { Figure } from '../figure.js'

/** 100,000 tasks of a model of each kind. */
const PREVIEW = [
  'preview',
  'realistic',
  ...['--tasks', '100000'],
  ...['image', 'video', 'audio', 'tool', 'llm'].flatMap((kind) => ['--model', `acme/${kind}-1`]),
]

/** Measures commands from their start to their exit. The lowest of several rounds counts, because a machine is shared. */
export async function commands(): Promise<Figure[]> {
  return [
    await lowest('commands: exec -- true', 10, ['exec', '--allow-no-requests', '--', 'true'], 400),
    await lowest('commands: preview, 5 kinds x 100000', 3, PREVIEW, 5_000),
  ]
}

async function lowest(name: string, rounds: number, args: readonly string[], below: number): Promise<Figure> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await timeOf(args))
  const spread = [Math.min(...times), Math.max(...times)] as const
  return { name, unit: 'ms', value: spread[0], spread, target: { below } }
}

/** @returns milliseconds from the start of the process to its exit */
async function timeOf(args: readonly string[]): Promise<number> {
  const begin = performance.now()
  const status = await ended(launch(process.execPath, [CLI, ...args], { stdio: 'ignore' }))
  if (status !== 0) throw new Error(`Expected status 0 of tasksim ${args.join(' ')}, got ${status}.`)
  return performance.now() - begin
}
