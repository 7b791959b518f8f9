/** Holds a number of empty sandboxes, and measures their memory. */
import { loadLibrary } from '../distribution.js'
import { answerParent } from '../worker.js'

const COUNT = 1_000

/** Bytes and microseconds per sandbox. */
export interface Cost {
  readonly heap: number
  /** Bytes per sandbox that remain after all are deleted. */
  readonly left: number
  readonly microseconds: number
}

async function heapAtRest(): Promise<number> {
  for (let pass = 0; pass < 4; pass++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function sandboxes(): Promise<Cost> {
  const { createSimulator } = await loadLibrary()
  const sim = createSimulator()
  const fill = () => {
    for (let number = 0; number < COUNT; number++) sim.createSandbox({ name: String(number) })
  }
  // Excludes the memory of code and of its first use.
  fill()
  sim.sandboxes.clear()
  const before = await heapAtRest()
  const begin = performance.now()
  fill()
  const microseconds = ((performance.now() - begin) * 1_000) / COUNT
  const held = await heapAtRest()
  sim.sandboxes.clear()
  const after = await heapAtRest()
  return { heap: (held - before) / COUNT, left: (after - before) / COUNT, microseconds }
}

answerParent({ sandboxes })
