import type { ApiRequest } from '../../src/exchange/exchange.js'
import type { Simulator } from '../../src/index.js'
import { ownCpuTime } from './cpu-time.js'
import { loadApi } from './distribution.js'
import { inputOf, KEY, MODEL } from './traffic.js'

/** The number of tasks that end at a time while a simulator is filled, as between requests. */
const BATCH = 500

/**
 * Creates tasks and lets them end.
 * @param first the number of the first task
 * @returns their ids
 */
export async function fill(sim: Simulator, tasks: number, first: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < tasks) {
    const input = inputOf(first + ids.length)
    const { id } = await sim.tasks.create({
      owner: KEY,
      model: MODEL,
      input,
      webhookUrl: undefined,
      origin: '',
    })
    ids.push(id)
    if (ids.length % BATCH === 0) await sim.settled()
  }
  return ids
}

/** Returns the CPU time for each of a number of requests, in microseconds. */
export async function cpuPerAnswer(
  sim: Simulator,
  requests: number,
  next: () => ApiRequest,
): Promise<number> {
  const { answer } = await loadApi()
  const begin = ownCpuTime()
  for (let count = 0; count < requests; count++) {
    const request = next()
    const { status } = await answer(sim, request)
    if (status >= 300) throw new Error(`Expected a success from ${request.path}, got ${status}`)
  }
  return ((ownCpuTime() - begin) * 1_000) / requests
}
