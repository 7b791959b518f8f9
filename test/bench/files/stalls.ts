import { setTimeout as wait } from 'node:timers/promises'
import type { Figure } from '../figure.js'
import { KEY } from '../traffic.js'
import { Worker } from '../worker.js'
import { outputPath } from './output-url.js'

const SPAN = 6_000
const FETCHING = 8
const PAUSE = 5
const FORMATS = ['png', 'jpeg', 'webp']

/**
 * Measures how long API requests wait while pictures are rendered at full speed. Rendering must not delay polling.
 */
export async function stalls(): Promise<Figure[]> {
  const server = new Worker(new URL('rendering-server.ts', import.meta.url))
  try {
    const port = await server.ask<number>('port')
    // The renderer loads once per server.
    for (const format of FORMATS) await render(port, -1, format)
    await server.ask('watch')
    const end = performance.now() + SPAN
    const fetching = Array.from({ length: FETCHING }, (_, index) => renderUntil(port, index, end))
    const waits = (await pollUntil(port, end)).sort((a, b) => a - b)
    const delay = await server.ask<number>('delay')
    const rendered = (await Promise.all(fetching)).reduce((sum, count) => sum + count, 0)
    const p99 = waits[Math.floor((waits.length - 1) * 0.99)] ?? Number.NaN
    return [
      {
        name: 'files: event-loop delay while rendering, p99',
        unit: 'ms',
        value: delay,
        target: { below: 50 },
      },
      { name: 'files: a poll while rendering, p99', unit: 'ms', value: p99, target: { below: 50 } },
      { name: 'files: pictures rendered meanwhile', unit: 'req/s', value: (rendered * 1_000) / SPAN },
    ]
  } finally {
    await server.end()
  }
}

async function renderUntil(port: number, client: number, end: number): Promise<number> {
  let count = 0
  for (; performance.now() < end; count++)
    await render(port, client * 1_000_000 + count, FORMATS[count % FORMATS.length] ?? 'png')
  return count
}

async function render(port: number, number: number, output_format: string): Promise<void> {
  const input = { prompt: `a lighthouse at dawn, ${number}`, output_format }
  const response = await fetch(`http://127.0.0.1:${port}${await outputPath(port, 'acme/image-1', input)}`)
  await response.arrayBuffer()
}

async function pollUntil(port: number, end: number): Promise<number[]> {
  const url = `http://127.0.0.1:${port}/api/v1/tasks?limit=1`
  const headers = { authorization: `Bearer ${KEY}` }
  const waits: number[] = []
  while (performance.now() < end) {
    const begin = performance.now()
    await (await fetch(url, { headers })).arrayBuffer()
    waits.push(performance.now() - begin)
    await wait(PAUSE)
  }
  return waits
}
