import type { Figure } from '../figure.js'
import { Worker } from '../worker.js'
import type { Growth } from './hold.js'

/**
 * Measures the memory of a finished task without its input. A separate process with the same number of inputs
 * measures these.
 */
export async function memory(): Promise<Figure[]> {
  const tasks = await held('tasks')
  const inputs = await held('inputs')
  return [
    {
      name: 'memory: heap per finished task',
      unit: 'B',
      value: tasks.heap - inputs.heap,
      target: { below: 2_048 },
    },
    {
      name: 'memory: RSS per finished task',
      unit: 'B',
      value: tasks.rss - inputs.rss,
      target: { below: 2_048 },
    },
    { name: 'memory: heap per input, not counted above', unit: 'B', value: inputs.heap },
    { name: 'memory: RSS per input, not counted above', unit: 'B', value: inputs.rss },
  ]
}

async function held(what: 'tasks' | 'inputs'): Promise<Growth> {
  const worker = new Worker(new URL('hold.ts', import.meta.url), [], ['--expose-gc'])
  try {
    return await worker.ask<Growth>(what)
  } finally {
    await worker.end()
  }
}
