import { type EventEmitter, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { end, launch } from '../../support/processes.js'
import { CLI } from '../../support/server.js'
import { cpuTimeOf } from '../cpu-time.js'
import type { Figure } from '../figure.js'
import { alternate } from '../rounds.js'

const ROUNDS = 10
const EXPRESS = fileURLToPath(new URL('express-server.mjs', import.meta.url))

/** Milliseconds from the start of a process to its first answer. */
interface Start {
  readonly wall: number
  readonly cpu: number
}

/**
 * Measures the start of the server until it has answered a request, and compares it with the smallest server with
 * Express. The lowest of several rounds counts, because a machine is shared.
 */
export async function coldStart(): Promise<Figure[]> {
  const pairs = await alternate(
    ROUNDS,
    () => startOf(CLI, '--port', '0'),
    () => startOf(EXPRESS),
  )
  const ours = pairs.map((pair) => pair.ours)
  const theirs = pairs.map((pair) => pair.theirs)
  const cpu = (starts: readonly Start[]) => Math.min(...starts.map((start) => start.cpu))
  return [
    {
      name: 'cold-start: CPU time, tasksim / smallest Express server',
      unit: 'x',
      value: cpu(ours) / cpu(theirs),
      target: { atMost: 1.6 },
    },
    wallTime('cold-start: tasksim', ours),
    wallTime('cold-start: smallest Express server', theirs),
  ]
}

function wallTime(name: string, starts: readonly Start[]): Figure {
  const times = starts.map(({ wall }) => wall)
  const spread = [Math.min(...times), Math.max(...times)] as const
  return { name, unit: 'ms', value: spread[0], spread }
}

async function startOf(...args: readonly string[]): Promise<Start> {
  const begin = performance.now()
  const child = launch(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [line] = await once(child.stdout as EventEmitter, 'data')
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(String(line))?.[0]
    if (url === undefined) throw new Error(`Expected the URL of a server on the first line, got: ${line}`)
    await (await fetch(url)).text()
    return { wall: performance.now() - begin, cpu: cpuTimeOf(child.pid ?? 0) }
  } finally {
    await end(child)
  }
}
