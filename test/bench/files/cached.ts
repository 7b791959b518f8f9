import { type Figure, figureOf } from '../figure.js'
import { alternate } from '../rounds.js'
import { Worker } from '../worker.js'
import { downloadRate } from './downloads.js'
import { outputPath } from './output-url.js'

const ROUNDS = 6
const ROUND = 1_000
const SIZES = ['1024x1024', '64x64']

/** Measures how many times per second a rendered file can be fetched, against a bare server with the same bytes. */
export async function cached(port: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const size of SIZES) {
    const path = await outputPath(port, 'acme/image-1', { size, prompt: 'a lighthouse at dawn' })
    const bare = new Worker(new URL('bare-file-server.ts', import.meta.url), [
      `http://127.0.0.1:${port}${path}`,
    ])
    try {
      const barePort = await bare.ask<number>('port')
      const ours = () => downloadRate(port, path, ROUND)
      const theirs = () => downloadRate(barePort, path, ROUND)
      await ours()
      await theirs()
      const pairs = await alternate(ROUNDS, ours, theirs)
      const ratios = pairs.map((pair) => pair.ours / pair.theirs)
      figures.push(
        figureOf(`files: cached png ${size}, tasksim / bare`, 'x', ratios, { atLeast: 0.5 }),
        figureOf(
          `files: cached png ${size}, tasksim`,
          'req/s',
          pairs.map((pair) => pair.ours),
        ),
        figureOf(
          `files: cached png ${size}, bare`,
          'req/s',
          pairs.map((pair) => pair.theirs),
        ),
      )
    } finally {
      await bare.end()
    }
  }
  return figures
}
