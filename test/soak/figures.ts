import { type Figure, median } from '../bench/figure.js'
import type { Clients } from './clients.js'
import type { Sample } from './watch.js'

/**
 * The variation of memory between collections. Apart from it, memory must stay constant once the maximum number of
 * tasks is kept. The engine needs a minute or two to settle.
 */
const BREATH = 32 * 2 ** 20

/** Returns the figures for memory and latency in a soak test. */
export function figuresOf(samples: readonly Sample[], clients: Clients, minutes: number): Figure[] {
  const second = samples.slice(Math.floor(samples.length / 2))
  const made = (second.at(-1)?.tasks ?? 0) - (second[0]?.tasks ?? 0)
  const [early, late] = [fifth(samples, 1), fifth(samples, 4)]
  const p99 = (part: readonly Sample[]) => median(part.map((sample) => sample.p99))
  return [
    { name: 'soak: requests', unit: 'req/s', value: clients.sent / (minutes * 60) },
    { name: 'soak: RSS in the end', unit: 'B', value: samples.at(-1)?.rss ?? Number.NaN },
    {
      name: `soak: growth of RSS in the second half, by ${made} tasks`,
      unit: 'B',
      value: growth(second),
      target: { atMost: BREATH },
    },
    { name: 'soak: p50, second fifth', unit: 'ms', value: median(early.map(({ p50 }) => p50)) },
    { name: 'soak: p50, last fifth', unit: 'ms', value: median(late.map(({ p50 }) => p50)) },
    { name: 'soak: p99, second fifth', unit: 'ms', value: p99(early) },
    { name: 'soak: p99, last fifth', unit: 'ms', value: p99(late) },
    {
      name: 'soak: p99, last / second fifth',
      unit: 'x',
      value: p99(late) / p99(early),
      target: { atMost: 1.5 },
    },
    { name: 'soak: health, at worst', unit: 'ms', value: Math.max(...samples.map(({ health }) => health)) },
  ]
}

function fifth(samples: readonly Sample[], place: number): readonly Sample[] {
  const size = samples.length / 5
  return samples.slice(Math.floor(place * size), Math.ceil((place + 1) * size))
}

/** Returns the growth of RSS along the best linear fit. */
function growth(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [at, rss] = [mean(samples.map((sample) => sample.at)), mean(samples.map((sample) => sample.rss))]
  const slope =
    samples.reduce((sum, sample) => sum + (sample.at - at) * (sample.rss - rss), 0) /
    samples.reduce((sum, sample) => sum + (sample.at - at) ** 2, 0)
  return slope * ((samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0))
}
