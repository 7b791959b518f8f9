import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { keep } from './children.js'
import { type Figure, figureOf } from './figure.js'
import { alternate } from './rounds.js'
import { TasksimServer } from './tasksim-server.js'

const ROUNDS = 10

/**
 * Measures the time from the start of the process to the line with the API address, and compares it with an empty
 * process.
 */
export async function coldStart(): Promise<Figure[]> {
  const pairs = await alternate(ROUNDS, untilReady, untilNothingIsDone)
  return [
    figureOf(
      'cold-start: tasksim',
      'ms',
      pairs.map(({ ours }) => ours),
      { below: 200 },
    ),
    figureOf(
      'cold-start: node with nothing to do',
      'ms',
      pairs.map(({ theirs }) => theirs),
    ),
  ]
}

async function untilReady(): Promise<number> {
  const begin = performance.now()
  const server = await TasksimServer.start()
  const took = performance.now() - begin
  await server.end()
  return took
}

async function untilNothingIsDone(): Promise<number> {
  const begin = performance.now()
  await once(keep(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' })), 'exit')
  return performance.now() - begin
}
