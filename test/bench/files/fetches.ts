import { type Figure, figureOf } from '../figure.js'
import { outputPath } from './output-url.js'

const ROUNDS = 9

const IMAGE = { size: '1024x1024' }
const FILES: Readonly<Record<string, readonly [model: string, input: object]>> = {
  'png 1024x1024': ['acme/image-1', { ...IMAGE, output_format: 'png' }],
  'jpeg 1024x1024': ['acme/image-1', { ...IMAGE, output_format: 'jpeg' }],
  'webp 1024x1024': ['acme/image-1', { ...IMAGE, output_format: 'webp' }],
  'mp4 720p, 8 s': ['acme/video-1', { duration: 8 }],
}

/** Measures how long a client waits for the first fetch of a file and for a repeated one. */
export async function fetches(port: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, [model, input]] of Object.entries(FILES)) {
    const first: number[] = []
    const repeated: number[] = []
    // The first rendering also loads the renderer.
    for (let round = -1; round < ROUNDS; round++) {
      const prompt = `a lighthouse at dawn, seen from the sea, ${round}`
      const url = `http://127.0.0.1:${port}${await outputPath(port, model, { ...input, prompt })}`
      const [one, two] = [await timeOf(url), await timeOf(url)]
      if (round >= 0) first.push(one)
      if (round >= 0) repeated.push(two)
    }
    figures.push(figureOf(`files: first fetch, ${name}`, 'ms', first))
    figures.push(figureOf(`files: repeated fetch, ${name}`, 'ms', repeated))
  }
  return figures
}

async function timeOf(url: string): Promise<number> {
  const begin = performance.now()
  const response = await fetch(url)
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`Expected 200, got ${response.status} from ${url}`)
  return performance.now() - begin
}
