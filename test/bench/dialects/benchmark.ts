import { type Figure, figureOf } from '../figure.js'
import { Worker } from '../worker.js'
import { MAIN, type Round, STATES } from './polls.js'

const ROUNDS = 12
const WARM_UPS = 4
const TITLES = { running: 'poll of a running task', ended: 'poll of an ended task' }

/** Measures the CPU time of a poll in each dialect, as a multiple of its time in the main dialect. */
export async function dialects(): Promise<Figure[]> {
  const worker = new Worker(new URL('worker.ts', import.meta.url))
  try {
    const rounds: Round[] = []
    for (let round = 0; round < WARM_UPS + ROUNDS; round++) rounds.push(await worker.ask<Round>('round'))
    return STATES.flatMap((state) =>
      figuresOf(
        `dialects: ${TITLES[state]}`,
        rounds.slice(WARM_UPS).map((round) => round[state]),
      ),
    )
  } finally {
    await worker.end()
  }
}

function figuresOf(title: string, rounds: readonly Round['running'][]): Figure[] {
  const timesOf = (name: string) => rounds.map((round) => round[name] ?? Number.NaN)
  const main = timesOf(MAIN)
  return Object.keys(rounds[0] ?? {})
    .sort()
    .map((name) => {
      if (name === MAIN) return figureOf(`${title}, ${MAIN}`, 'us', main)
      const ratios = timesOf(name).map((time, round) => time / (main[round] ?? Number.NaN))
      return figureOf(`${title}, ${name} / ${MAIN}`, 'x', ratios, { atMost: 1.3 })
    })
}
