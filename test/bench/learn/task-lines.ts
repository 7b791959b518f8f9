const MODELS = ['acme/video-1', 'acme/video-2', 'acme/image-1']
const RESOLUTIONS = ['480p', '720p', '1080p']
const BATCH = 1_000
const START = Date.UTC(2026, 0, 1)

/** Tasks as the dialect `tasks` lists them, one per line, in batches. They are the same in each run. */
export function* taskLines(count: number): Generator<string> {
  const random = generator()
  let at = START
  for (let first = 0; first < count; first += BATCH) {
    const lines = Array.from({ length: Math.min(BATCH, count - first) }, (_, index) => {
      at += Math.round(-Math.log1p(-random()) * 2_000)
      return JSON.stringify(task(first + index, at, random))
    })
    yield `${lines.join('\n')}\n`
  }
}

function task(index: number, at: number, random: () => number): object {
  const [duration, resolution] = [2 + (index % 9), RESOLUTIONS[index % RESOLUTIONS.length]]
  const isFailed = random() < 0.05
  const took = Math.round(20_000 * Math.exp(random() + random() + random() - 1.5))
  return {
    id: `task_${index.toString(36).padStart(24, '0')}`,
    model: MODELS[index % MODELS.length],
    status: isFailed ? 'failed' : 'succeeded',
    input: { prompt: `waves number ${index} at a beach in the evening`, duration, resolution },
    created_at: new Date(at).toISOString(),
    completed_at: new Date(at + took).toISOString(),
    ...(isFailed
      ? { error: { code: 'internal_error', message: 'Try again.' } }
      : {
          output: { video: `https://cdn.example.com/${index}.mp4` },
          cost_usd: Number((0.05 * duration).toFixed(2)),
        }),
  }
}

/** A small generator of random numbers from 0 to 1. */
function generator(): () => number {
  let state = 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
