import type { Figure } from '../figure.js'
import { Worker } from '../worker.js'
import type { Cost } from './hold.js'

/** Measures the cost of an empty sandbox among a thousand others. */
export async function sandboxes(): Promise<Figure[]> {
  const worker = new Worker(new URL('hold.ts', import.meta.url), [], ['--expose-gc'])
  try {
    const { heap, left, microseconds } = await worker.ask<Cost>('sandboxes')
    return [
      { name: 'sandboxes: heap per empty one, of 1000', unit: 'B', value: heap, target: { below: 32_768 } },
      { name: 'sandboxes: heap left by each deleted one', unit: 'B', value: left, target: { below: 256 } },
      { name: 'sandboxes: time to make one', unit: 'us', value: microseconds },
    ]
  } finally {
    await worker.end()
  }
}
